"""How sure a share is."""

import math

from estimate import Estimate, Z


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
