"""Read the gold of a worked solution from its last number."""

from extract_last_number import numbers_in


def last_number_gold(solution: str) -> str:
    """Return the last number of a solution; raises ValueError without one."""
    found = numbers_in(solution)
    if not found:
        raise ValueError("no number")
    return found[-1]
