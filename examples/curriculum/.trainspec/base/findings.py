"""What the data report says of rows: one line a finding, with the numbers of the rows."""

from collections.abc import Iterable
from typing import Any, NoReturn

Row = dict[str, Any]


def told(level: str, part: str, what: str, numbers: Iterable[int]) -> list[str]:
    """One finding that names the rows, or none where there are no such rows."""
    rows = sorted(numbers)
    if not rows:
        return []
    count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    return [f"{level}: {part}: {count} {what}: {listed(rows)}"]


def end_report(findings: list[str]) -> NoReturn:
    """Print what was found, and exit 1 where an error is among it."""
    for finding in findings:
        print(finding)
    errors = sum(finding.startswith("error") for finding in findings)
    print(f"errors: {errors}, warnings: {len(findings) - errors}")
    raise SystemExit(1 if errors else 0)


def listed(rows: list[int]) -> str:
    """The first of some row numbers, and how many more there are."""
    more = f" (and {len(rows) - 10} more)" if len(rows) > 10 else ""
    return f"{', '.join(map(str, rows[:10]))}{more}"


def numbers_of(rows: Iterable[Row]) -> list[int]:
    """The rows' positions in the source."""
    return [row["row_number"] for row in rows]


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
