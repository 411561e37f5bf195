"""Compare lists of numbers within a tolerance."""

from compare_number_close import close_number
from number import Number


def close_list(
    answer: list[Number | None] | None,
    gold: list[Number | None] | None,
    *,
    tolerance: float = 0.0,
    relative_tolerance: float = 0.0,
) -> bool:
    """Whether both are as long, and each element is close to that of the gold; None is no list."""
    if answer is None or gold is None or len(answer) != len(gold):
        return False
    limits = {"tolerance": tolerance, "relative_tolerance": relative_tolerance}
    return all(close_number(one, other, **limits) for one, other in zip(answer, gold, strict=True))
