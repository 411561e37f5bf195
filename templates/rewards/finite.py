"""Keep values that are no finite number out of training."""

import math
import warnings
from collections.abc import Iterable


def finite(name: str, values: Iterable[float | None]) -> list[float | None]:
    """Return a reward's values, with None, not judged, for what is no finite number.

    TRL would make an advantage of 3.4e38 of an infinity, and a NaN would go unnoticed.
    """
    kept: list[float | None] = []
    for value in values:
        judged = value is None or math.isfinite(value)
        if not judged:
            warnings.warn(f"{name} gave {value}, which counts as not judged", stacklevel=2)
        kept.append(value if judged else None)
    return kept
