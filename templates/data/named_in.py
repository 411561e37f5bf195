"""Tell which options a gold names."""

import re


def named_in(cell: object) -> list[str]:
    """Return the names in a gold that is one name or several: a list, or text such as `A, C`."""
    if isinstance(cell, list):
        return [str(name).strip() for name in cell]
    return re.split(r"\s*(?:[,;/&]|\band\b)\s*", str(cell).strip())
