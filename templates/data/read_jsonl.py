"""Read a JSON Lines file."""

import json
from pathlib import Path

from datasets import Dataset
from from_rows import from_rows
from read_text import read_text


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
