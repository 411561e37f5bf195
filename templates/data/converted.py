"""Bring rows into the form that a trainer takes."""

from collections.abc import Callable
from typing import Any

from datasets import Dataset


def converted(
    rows: Dataset, convert: Callable[[dict[str, Any]], dict[str, Any]], columns: tuple[str, ...]
) -> Dataset:
    """Return what `convert` makes of each row, with its `row_number`.

    Raises ValueError with the number of a row that has nothing in one of `columns`, or that cannot
    be converted.
    """

    def convert_one(row: dict[str, Any]) -> dict[str, Any]:
        number = row["row_number"]
        if missing := [name for name in columns if row[name] is None]:
            raise ValueError(f"row {number} has nothing in {', '.join(missing)}")
        try:
            # A dict of its own: map would drop what a lazy row hands through unchanged.
            return {"row_number": number} | convert(dict(row))
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from error

    return rows.map(convert_one, remove_columns=rows.column_names)
