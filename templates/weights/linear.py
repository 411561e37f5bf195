"""A weight that moves evenly."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Linear:
    """A weight that moves evenly from `start` to `end` in so many optimizer steps, then stays."""

    start: float
    end: float
    steps: int

    def at(self, step: int, _means: Sequence[float], /) -> float:
        """Return the weight in a step, counted from 0."""
        return self.start + (self.end - self.start) * min(1.0, step / self.steps)
