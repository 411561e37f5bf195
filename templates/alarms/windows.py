"""What an alarm looks at: the log of a run, window by window."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Run(NamedTuple):
    """A run as far as it is logged, with its config and the ranges of the rewards that it pays."""

    log: list[dict[str, Any]]
    args: Any
    ranges: Mapping[str, tuple[float, float]]


def windows(run: Run, metric: str) -> list[Any]:
    """A metric in the logging windows of training so far; None where a window has it not."""
    return [entry.get(metric) for entry in run.log if "loss" in entry]


def recent(run: Run, metric: str, count: int) -> list[float]:
    """The metric in the last `count` windows; empty where one lacks it, or there are fewer."""
    return whole(windows(run, metric)[-count:], count)


def first(run: Run, metric: str, count: int) -> list[float]:
    """The metric in the first `count` windows; empty where one lacks it, or there are fewer."""
    return whole(windows(run, metric)[:count], count)


def whole(values: list[Any], count: int) -> list[float]:
    """The values, where so many are there and none is missing."""
    found = [value for value in values if value is not None]
    return found if len(found) == count else []
