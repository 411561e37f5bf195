"""Read a cell as a number."""

import math


def number_in(cell: object) -> float:
    """Return the number that a cell holds, as text too; NaN, which meets no limit, without one."""
    try:
        return float(str(cell))
    except ValueError:
        return math.nan
