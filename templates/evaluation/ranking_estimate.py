"""How well values of two kinds are told apart."""

import math

from estimate import Estimate, Z


def ranking_estimate(upper: list[float], lower: list[float]) -> Estimate:
    """Return how often one of `upper` is above one of `lower`, equal ones counted as half.

    The area under the ROC curve, with the interval of Hanley and McNeil (1982), cut at 0 and 1.
    """
    if not upper or not lower:
        return Estimate(mean=None, low=None, high=None)
    pairs = len(upper) * len(lower)
    area = sum((high > low) + (high == low) / 2 for high in upper for low in lower) / pairs
    variance = (
        area * (1 - area)
        + (len(upper) - 1) * (area / (2 - area) - area**2)
        + (len(lower) - 1) * (2 * area**2 / (1 + area) - area**2)
    ) / pairs
    reach = Z * math.sqrt(max(0.0, variance))
    return Estimate(mean=area, low=max(0.0, area - reach), high=min(1.0, area + reach))
