"""What the data report says of columns that hold nothing at all."""

from findings import Row

STAND_IN = ("", "na", "n/a", "nan", "none", "null")  # written in text files where nothing is


def empty_columns(part: str, rows: list[Row], columns: tuple[str, ...]) -> list[str]:
    """Return a finding for each of `columns` that is empty in every row, with those that are not.

    A data set may have two columns for one thing, of which one is not filled in.
    """
    others = [
        name
        for name in (rows[0] if rows else {})
        if name not in (*columns, "row_number") and not any(is_empty(row[name]) for row in rows)
    ]
    filled = ", ".join(f"`{name}`" for name in others)
    hint = f"; filled in every row and not read: {filled}" if others else ""
    return [
        f"error: {part}: column `{name}` is empty in all of {len(rows)} rows{hint}"
        for name in columns
        if rows and all(is_empty(row[name]) for row in rows)
    ]


def is_empty(cell: object) -> bool:
    """Return whether a cell says nothing."""
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in STAND_IN)
