"""A weight that moves along half a wave."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cosine:
    """A weight that moves from `start` to `end` in so many optimizer steps, slowly at both ends."""

    start: float
    end: float
    steps: int

    def at(self, step: int, _means: Sequence[float], /) -> float:
        """Return the weight in a step, counted from 0."""
        done = (1.0 - math.cos(math.pi * min(1.0, step / self.steps))) / 2
        return self.start + (self.end - self.start) * done
