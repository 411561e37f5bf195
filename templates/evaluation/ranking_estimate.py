"""How well values of two kinds are told apart."""

from estimate import Estimate
from wilson import wilson


def ranking_estimate(upper: list[float], lower: list[float]) -> Estimate:
    """Return how often one of `upper` is above one of `lower`, equal ones counted as half.

    The area under the ROC curve. It varies at most as a share of so many rows as the rarer kind has
    (Birnbaum and Klose, 1957), whose interval is taken: rather too wide.
    """
    if not upper or not lower:
        return Estimate(mean=None, low=None, high=None)
    above = sum((high > low) + (high == low) / 2 for high in upper for low in lower)
    return wilson(above / (len(upper) * len(lower)), min(len(upper), len(lower)))
