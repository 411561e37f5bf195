"""Compare numbers within a tolerance."""

from fractions import Fraction

from number import Number


def close_number(
    answer: Number | None,
    gold: Number | None,
    *,
    tolerance: float = 0.0,
    relative_tolerance: float = 0.0,
) -> bool:
    """Whether `answer` is within `tolerance`, or within that share of `gold`, of `gold`."""
    if answer is None or gold is None or answer.percent != gold.percent:
        return False
    # Through text, so that 0.1 is one tenth: a difference of exactly the tolerance is allowed.
    allowed = max(Fraction(str(tolerance)), Fraction(str(relative_tolerance)) * abs(gold.value))
    return abs(answer.value - gold.value) <= allowed
