"""Whether one model is better on more rows than chance would have it."""

import math


def sign_test(better: int, worse: int) -> float:
    """Return the chance of a split so uneven, or more so, if either side were as likely.

    The exact two-sided test; rows on which both score alike say nothing and are not counted.
    """
    decided = better + worse
    tail = sum(math.comb(decided, count) for count in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / 2**decided)
