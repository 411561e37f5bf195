"""Data files as rows, with no guess at what a cell means; a damaged file is named with its line."""

import json
import math
from pathlib import Path
from typing import Any

from datasets import Dataset


def read_jsonl(path: Path, encoding: str = "utf-8", json_columns: tuple[str, ...] = ()) -> Dataset:
    """Return the rows of a JSON Lines file; exits with the line that holds no object.

    Read by hand because load_dataset turns text that looks like a date into a date, and names no
    line where one is damaged. What `json_columns` hold stays JSON.
    """
    rows = {}
    # Not splitlines(): it also parts a line at U+2028, which JSON allows inside a text.
    for line, text in enumerate(read_text(path, encoding).split("\n"), start=1):
        if text.strip():
            try:
                rows[line] = json.loads(text)
            except json.JSONDecodeError as error:
                raise SystemExit(f"{path}:{line}: not JSON: {error}") from error
            if not isinstance(rows[line], dict):
                raise SystemExit(f"{path}:{line}: not an object")
    return from_rows(rows, path, json_columns)


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


def read_text(path: Path, encoding: str) -> str:
    """Return the file's text without a byte order mark; exits with the line that cannot be read."""
    content = path.read_bytes()
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        utf_16 = content.startswith((b"\xff\xfe", b"\xfe\xff"))
        guess = "it looks like utf-16" if utf_16 else "it may be cp1252, latin-1 or gb18030"
        raise SystemExit(f"{path}:{line}: not {encoding}: {guess}") from error


def json_text(cell: object) -> object:
    """Return an object or a list as JSON text, anything else as it is."""
    return (
        json.dumps(cell, ensure_ascii=False, default=str) if isinstance(cell, dict | list) else cell
    )
