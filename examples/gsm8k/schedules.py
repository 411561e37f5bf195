"""How the weights of the rewards move while a stage trains, as functions of its steps and log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Linear:
    """A weight that moves evenly from `start` to `end` in so many optimizer steps, then stays."""

    start: float
    end: float
    steps: int

    def at(self, step: int, _means: Sequence[float], /) -> float:
        """Return the weight in a step, counted from 0."""
        return self.start + (self.end - self.start) * min(1.0, step / self.steps)


class Schedule(Protocol):
    """A weight in a step, counted from 0, after logging windows with these means of its reward."""

    def at(self, step: int, means: Sequence[float], /) -> float:
        """Return the weight."""
        ...


def weights_at(
    mix: Mapping[Callable[..., Any], float | Schedule], step: int, log: Sequence[Mapping[str, Any]]
) -> list[float]:
    """Return the weight of each reward in an optimizer step, counted from 0.

    `log` is the run's log so far, as TRL keeps it. A mean that is None, where the reward judged no
    completion of the window, is passed over.
    """
    weights = []
    for reward, weight in mix.items():
        if isinstance(weight, int | float):
            weights.append(float(weight))
            continue
        means = [entry.get(f"rewards/{reward.__name__}/mean") for entry in log]
        weights.append(weight.at(step, [mean for mean in means if mean is not None]))
    return weights
