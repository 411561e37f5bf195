"""The mean of values between 0 and 1."""

import math
from collections.abc import Iterable
from statistics import fmean

from estimate import Estimate, Z


def share_estimate(values: Iterable[float | None]) -> Estimate:
    """Return the mean of values in [0, 1], one a row, with the score interval of Wilson (1927).

    It keeps its width where all rows agree. Where a row is a share of several completions it varies
    less than a yes or no, and the interval is rather too wide.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Estimate(mean=None, low=None, high=None)
    share, count = fmean(known), len(known)
    middle = share + Z * Z / (2 * count)
    reach = Z * math.sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    scale = 1 + Z * Z / count
    low, high = (middle - reach) / scale, (middle + reach) / scale
    # Rounding could leave the share itself, or the numbers from 0 to 1.
    return Estimate(mean=share, low=max(0.0, min(low, share)), high=min(1.0, max(high, share)))
