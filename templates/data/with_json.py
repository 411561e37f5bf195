"""Keep columns of a data set as JSON text."""

from datasets import Dataset
from json_text import json_text


def with_json(rows: Dataset, columns: tuple[str, ...]) -> Dataset:
    """Return the rows with the objects and lists of `columns` as JSON text.

    An object of a data set has null for a key that only others have.
    """
    return rows.map(lambda row: {name: json_text(row[name]) for name in columns if name in row})
