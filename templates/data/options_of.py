"""Bring the options of a row into one form."""

from collections.abc import Mapping

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def options_of(cell: object) -> dict[str, str]:
    """Return the options that a cell holds by their labels in the data, "" for an empty one.

    A list is lettered by position. A dict has labels of its own: as its keys, or as the list
    `label` beside the list `text`. Anything else holds no option.
    """
    match cell:
        case {"text": list(texts), "label": list(labels)}:
            found = zip(labels, texts, strict=True)
        case Mapping():
            found = cell.items()
        case list():
            found = zip(LETTERS, cell, strict=False)
        case _:
            found = ()
    return {str(label): "" if text is None else str(text).strip() for label, text in found}
