"""The difference of two means."""

import math
from statistics import fmean, variance

from estimate import Estimate
from mean_estimate import t_quantile


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
