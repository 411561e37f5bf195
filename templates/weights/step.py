"""A weight that changes once."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A weight that is `start` for so many optimizer steps, and `end` from then on."""

    start: float
    end: float
    steps: int

    def at(self, step: int, _means: Sequence[float], /) -> float:
        """Return the weight in a step, counted from 0."""
        return self.start if step < self.steps else self.end
