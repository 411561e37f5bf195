"""Compare the results of two queries."""

import math
import re
from typing import Any

Row = list[Any]
# Quoted names, strings and comments, which are no words of the query.
QUOTED = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/""", re.DOTALL
)
TOLERANCE = 1e-9  # relative, for sums that were added up in another order


def same_rows(found: list[Row], expected: list[Row], *, ordered: bool) -> bool:
    """Whether two results have the same rows, as many times each, in order where that matters."""
    if len(found) != len(expected):
        return False
    if not ordered:
        found, expected = sorted(found, key=place), sorted(expected, key=place)
    return all(map(same_row, found, expected))


def same_row(found: Row, expected: Row) -> bool:
    """Whether two rows have as many values, each the same at its position."""
    return len(found) == len(expected) and all(map(same_value, found, expected))


def same_value(found: Any, expected: Any) -> bool:
    """Whether two values are the same: numbers by value, all else within its type."""
    if isinstance(found, int | float) and isinstance(expected, int | float):
        return found == expected or math.isclose(found, expected, rel_tol=TOLERANCE)
    return type(found) is type(expected) and found == expected


def place(row: Row) -> list[tuple[int, float, str]]:
    """Where a row stands among others, whatever its types; close numbers stand together."""
    return [
        (1, float(f"{value:.6e}"), "")
        if isinstance(value, int | float)
        else (0 if value is None else 2, 0.0, str(value))
        for value in row
    ]


def is_ordered(query: str) -> bool:
    """Whether a query has ORDER BY for its result, and not only for a query within it."""
    plain = QUOTED.sub(" ", query)
    while (inner := re.sub(r"\([^()]*\)", " ", plain)) != plain:
        plain = inner
    return re.search(r"\border\s+by\b", plain, re.IGNORECASE) is not None
