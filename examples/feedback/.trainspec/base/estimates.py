"""How sure a figure is: intervals of 95 % and tests, in which a row of the data counts once."""

import math
from collections.abc import Iterable
from statistics import fmean, stdev, variance
from typing import TypedDict

Z = 1.959964  # a standard normal number is further from 0 in 5 % of cases


class Estimate(TypedDict):
    """A mean with its interval of 95 %; None where it is not known."""

    mean: float | None
    low: float | None
    high: float | None


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


def ranking_estimate(upper: list[float], lower: list[float]) -> Estimate:
    """Return how often one of `upper` is above one of `lower`, equal ones counted as half.

    The area under the ROC curve. It varies at most as a share of so many rows as the rarer kind has
    (Birnbaum and Klose, 1957), whose interval is taken: rather too wide.
    """
    if not upper or not lower:
        return Estimate(mean=None, low=None, high=None)
    above = sum((high > low) + (high == low) / 2 for high in upper for low in lower)
    return wilson(above / (len(upper) * len(lower)), min(len(upper), len(lower)))


def difference_estimate(first: list[float], second: list[float]) -> Estimate:
    """Return how much higher the mean of `first` is, with the interval of Welch (1947).

    The values of the two are of different rows, and may spread differently.
    """
    if not first or not second:
        return Estimate(mean=None, low=None, high=None)
    mean = fmean(first) - fmean(second)
    if len(first) < 2 or len(second) < 2:
        return Estimate(mean=mean, low=None, high=None)
    errors = [variance(values) / len(values) for values in (first, second)]
    total = sum(errors)
    if total == 0:
        return Estimate(mean=mean, low=None, high=None)  # nothing was seen to vary
    parts = [
        error**2 / (len(values) - 1) for error, values in zip(errors, (first, second), strict=True)
    ]
    reach = t_quantile(total**2 / sum(parts)) * math.sqrt(total)
    return Estimate(mean=mean, low=mean - reach, high=mean + reach)


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
