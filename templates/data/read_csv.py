"""Read a file of separated columns."""

import csv
import io
from pathlib import Path

from datasets import Dataset
from read_text import read_text


def read_csv(path: Path, delimiter: str = ",", encoding: str = "utf-8") -> Dataset:
    """Return the rows of a file with a header; exits with the line that has more or fewer cells.

    Every cell stays the text that it is. A reader that guesses types would make `007` a 7, `NA`
    nothing, and 12 a 12.0 as soon as one cell of its column is empty.
    """
    csv.field_size_limit(2**31 - 1)
    lines = csv.reader(
        io.StringIO(read_text(path, encoding), newline=""), delimiter=delimiter, strict=True
    )
    try:
        names = next(lines, [])
        if len(set(names)) < len(names) or not all(names):
            raise SystemExit(f"{path}:1: a column has no name, or the name of another: {names}")
        rows = []
        for cells in lines:
            if cells and len(cells) != len(names):
                wrong = f"{len(cells)} cells, and the header has {len(names)}"
                raise SystemExit(f"{path}:{lines.line_num}: {wrong}")
            if cells:
                rows.append(cells)
    except csv.Error as error:
        raise SystemExit(f"{path}:{lines.line_num}: {error}") from error
    if not rows:
        raise SystemExit(f"{path}: no rows")
    return Dataset.from_dict({name: [row[at] for row in rows] for at, name in enumerate(names)})
