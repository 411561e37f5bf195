"""The chance that one of several samples is right."""

import math


def pass_at(k: int, right: int, samples: int) -> float:
    """Return the chance that k of a row's samples, so many of which are right, hold a right one.

    The unbiased estimate of Chen et al. (2021, arXiv 2107.03374).
    """
    return 1 - math.comb(samples - right, k) / math.comb(samples, k)
