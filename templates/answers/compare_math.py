r"""Compare mathematics."""

from collections.abc import Callable

from compare_number_close import close_number
from math_grader import same_mathematics
from math_terms import math_terms
from number import Number


def same_math(
    answer: str,
    gold: str,
    number: Callable[[str], Number | None],
    *,
    tolerance: float = 0.0,
    relative_tolerance: float = 0.0,
) -> bool:
    """Whether `answer` gives the values of `gold`, all of them and no others, in any order.

    Two numbers are compared as numbers; words by their letters; all else by Math-Verify, which is
    asked of a gold first whether it equals itself: one that it cannot read is paid to nobody.
    """
    found, wanted = number(answer), number(gold)
    if found is not None and wanted is not None:
        return close_number(
            found, wanted, tolerance=tolerance, relative_tolerance=relative_tolerance
        )
    given, asked = math_terms(answer, number), math_terms(gold, number)
    if given is None or asked is None:
        return False
    same = {"".join(term.split()) for term in given} == {"".join(term.split()) for term in asked}
    if any('"' in term for term in given + asked):
        return same
    if not same_mathematics(asked, asked, 0.0, 0.0):
        return False
    return same or same_mathematics(given, asked, tolerance, relative_tolerance)
