"""The mean of values between 0 and 1."""

from collections.abc import Iterable
from statistics import fmean

from estimate import Estimate
from wilson import wilson


def share_estimate(values: Iterable[float | None]) -> Estimate:
    """Return the mean of values in [0, 1], one a row, with the interval of a share.

    Where a row is a share of several completions it varies less than a yes or no, and the interval
    is rather too wide.
    """
    known = [value for value in values if value is not None]
    return wilson(fmean(known), len(known)) if known else Estimate(mean=None, low=None, high=None)
