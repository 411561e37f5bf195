"""Build a data set of rows that were read one by one."""

import math
from pathlib import Path
from typing import Any

from datasets import Dataset
from json_text import json_text


def from_rows(
    rows: dict[int, dict[str, Any]], path: Path, json_columns: tuple[str, ...]
) -> Dataset:
    """Return the rows as a data set; the keys are their lines, to name one that does not fit.

    A column that one row has, all have. A column of text and numbers becomes text: an answer may be
    `12` in one row and `"1/2"` in the next. Objects and lists of `json_columns` become JSON text: a
    data set would give each object the keys of all, and parts of a list one type. A NaN is nothing,
    as Python writes what is missing.
    """
    if not rows:
        raise SystemExit(f"{path}: no rows")
    names = dict.fromkeys(name for row in rows.values() for name in row)
    columns = {name: [filled(row.get(name)) for row in rows.values()] for name in names}
    for name in set(json_columns).intersection(names):
        columns[name] = [json_text(cell) for cell in columns[name]]
    for name, cells in columns.items():
        kinds: dict[str, int] = {}
        for line, cell in zip(rows, cells, strict=True):
            kinds.setdefault(kind_of(cell), line)
        kinds.pop("nothing", None)
        if "text" in kinds and kinds.keys() <= {"text", "a number"}:
            columns[name] = [None if cell is None else str(cell) for cell in cells]
        elif len(kinds) > 1:
            found = ", ".join(f"{kind} (line {line})" for kind, line in kinds.items())
            raise SystemExit(f"{path}: column `{name}` holds {found}: a column has one type")
    try:
        return Dataset.from_dict(columns)
    except (OverflowError, TypeError, ValueError) as error:  # a list of unlike things
        raise SystemExit(f"{path}: {error}") from error


def filled(cell: object) -> object:
    """Return a cell, None where it is no number."""
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def kind_of(cell: object) -> str:
    """Return what a cell of a JSON file holds, in words."""
    match cell:
        case None:
            return "nothing"
        case str():
            return "text"
        case bool():
            return "true or false"
        case int() if abs(cell) >= 2**63:  # Arrow's integers end there
            return "text"
        case int() | float():
            return "a number"
        case list():
            return "a list"
        case _:
            return "an object"
