"""A weight that follows how often its reward is earned."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Adaptive:
    """A weight that begins at `start` and follows the raw mean of its reward.

    After each logging window it is multiplied by `up` where the mean was under `below`, by `down`
    where it was over `above`, and kept from `least` to `most`.
    """

    start: float
    below: float
    above: float
    up: float
    down: float
    least: float
    most: float

    def at(self, _step: int, means: Sequence[float], /) -> float:
        """Return the weight after logging windows with these means."""
        weight = self.start
        for mean in means:
            factor = self.up if mean < self.below else self.down if mean > self.above else 1.0
            weight = min(self.most, max(self.least, weight * factor))
        return weight
