"""Compare sets of numbers within a tolerance."""

from compare_number_close import close_number
from number import Number


def close_set(
    answer: list[Number | None] | None,
    gold: list[Number | None] | None,
    *,
    tolerance: float = 0.0,
    relative_tolerance: float = 0.0,
) -> bool:
    """Whether each element of the one is close to one of the other; None is no list."""
    if not answer or not gold:
        return answer == gold is not None
    limits = {"tolerance": tolerance, "relative_tolerance": relative_tolerance}
    close = [[close_number(one, other, **limits) for one in answer] for other in gold]
    return all(map(any, close)) and all(map(any, zip(*close, strict=True)))
