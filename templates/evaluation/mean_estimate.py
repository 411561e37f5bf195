"""The mean of values of any size."""

import math
from collections.abc import Iterable
from statistics import fmean, stdev

from estimate import Estimate, Z


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
