"""How sure a figure is: intervals of 95 % and tests, in which a row of the data counts once."""

import math
from collections.abc import Iterable
from statistics import fmean, stdev
from typing import TypedDict

Z = 1.959964  # a standard normal number is further from 0 in 5 % of cases


class Estimate(TypedDict):
    """A mean with its interval of 95 %; None where it is not known."""

    mean: float | None
    low: float | None
    high: float | None


def share_estimate(values: Iterable[float | None]) -> Estimate:
    """Return the mean of values in [0, 1], one a row, with the interval of a share.

    Where a row is a share of several completions it varies less than a yes or no, and the interval
    is rather too wide.
    """
    known = [value for value in values if value is not None]
    return wilson(fmean(known), len(known)) if known else Estimate(mean=None, low=None, high=None)


def mean_estimate(values: Iterable[float | None]) -> Estimate:
    """Return the mean of values, one a row, with the interval of Student's t.

    Where all rows have the same value nothing was seen to vary, and no interval is known.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Estimate(mean=None, low=None, high=None)
    mean = fmean(known)
    if min(known) == max(known):
        return Estimate(mean=mean, low=None, high=None)
    reach = t_quantile(len(known) - 1) * stdev(known) / math.sqrt(len(known))
    return Estimate(mean=mean, low=mean - reach, high=mean + reach)


def t_quantile(freedom: float) -> float:
    """Return what a number distributed as Student's t stays within in 95 % of cases.

    The expansion 26.7.5 of Abramowitz and Stegun (1964): within 1 % from 3 degrees of freedom on.
    """
    terms = (
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return Z + sum(term / freedom**power for power, term in enumerate(terms, start=1))


def sign_test(better: int, worse: int) -> float:
    """Return the chance of a split so uneven, or more so, if either side were as likely.

    The exact two-sided test; rows on which both score alike say nothing and are not counted.
    """
    decided = better + worse
    tail = sum(math.comb(decided, count) for count in range(min(better, worse) + 1))
    return min(1.0, 2 * tail / 2**decided)


def pass_at(k: int, right: int, samples: int) -> float:
    """Return the chance that k of a row's samples, so many of which are right, hold a right one.

    The unbiased estimate of Chen et al. (2021, arXiv 2107.03374).
    """
    return 1 - math.comb(samples - right, k) / math.comb(samples, k)


def wilson(share: float, count: int) -> Estimate:
    """Return a share of `count` rows with the score interval of Wilson (1927).

    It keeps its width where all rows agree.
    """
    middle = share + Z * Z / (2 * count)
    reach = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    scale = 1 + Z * Z / count
    low, high = (middle - reach) / scale, (middle + reach) / scale
    # Rounding could leave the share itself, or the numbers from 0 to 1.
    return Estimate(mean=share, low=max(0.0, min(low, share)), high=min(1.0, max(high, share)))
