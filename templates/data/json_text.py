"""Keep what a cell holds as JSON text."""

import json


def json_text(cell: object) -> object:
    """Return an object or a list as JSON text, anything else as it is."""
    return (
        json.dumps(cell, ensure_ascii=False, default=str) if isinstance(cell, dict | list) else cell
    )
