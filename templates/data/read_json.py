"""Read a JSON file that holds a list of objects."""

import json
from pathlib import Path

from datasets import Dataset
from from_rows import from_rows
from read_text import read_text


def read_json(path: Path, encoding: str = "utf-8", json_columns: tuple[str, ...] = ()) -> Dataset:
    """Return the rows of a JSON file that holds a list of objects; exits where it does not.

    What `json_columns` hold stays JSON.
    """
    try:
        rows = json.loads(read_text(path, encoding))
    except json.JSONDecodeError as error:
        raise SystemExit(f"{path}:{error.lineno}: not JSON: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise SystemExit(f"{path}: not a list of objects")
    return from_rows(dict(enumerate(rows)), path, json_columns)
