"""What each reward can give to a right and to a wrong answer, and to four crafted completions.

Nothing is scored here: the bounds follow from what a reward pays for, its range and its `only_if`.
"""

from typing import NamedTuple

from spec_schema import TaskSpec
from spec_schema.rewards import Reward

__all__ = ["Interval", "Prospect", "earned_by_ideal", "prospects_of"]


class Interval(NamedTuple):
    """The least and the most that a reward can give."""

    lowest: float
    highest: float


class Prospect(NamedTuple):
    """What a reward can give to any completion with a right or a wrong answer, and to crafted ones.

    The crafted ones are the ideal completion of a row, that of a row with another gold, an empty
    one, and one that is cut in the middle. Where a reward of correctness gives partial credit, an
    answer is wrong that has none of it.
    """

    right: Interval
    wrong: Interval
    ideal: Interval
    other: Interval
    empty: Interval
    cut: Interval

    @property
    def looks_at_gold(self) -> bool:
        """Whether it can give a right answer what it cannot give a wrong one, or the reverse."""
        return self.right != self.wrong

    @property
    def separates(self) -> bool:
        """Whether it gives every right answer more than any wrong one."""
        return self.right.lowest > self.wrong.highest

    @property
    def is_constant(self) -> bool:
        """Whether the crafted completions are all given one and the same value."""
        crafted = {self.ideal, self.other, self.empty, self.cut}
        return len(crafted) == 1 and self.ideal.lowest == self.ideal.highest


def prospects_of(spec: TaskSpec) -> dict[str, Prospect]:
    """The prospect of every reward; a gate that does not exist or waits for itself is ignored."""
    return {name: _gated(spec, name, frozenset()) for name in spec.rewards}


def earned_by_ideal(spec: TaskSpec) -> frozenset[str]:
    """The rewards of correctness and format that an ideal completion earns in full.

    One that waits for a reward of another purpose is none of them, unless that is a penalty.
    """
    return frozenset(
        name
        for name, prospect in prospects_of(spec).items()
        if spec.rewards[name].purpose in ("correctness", "format")
        and prospect.ideal.lowest == spec.rewards[name].bounds()[1]
    )


def _gated(spec: TaskSpec, name: str, waiting: frozenset[str]) -> Prospect:
    reward = spec.rewards[name]
    own, gate = _ungated(reward), reward.only_if
    if gate is None or gate not in spec.rewards or gate in waiting | {name}:
        return own
    gates = _gated(spec, gate, waiting | {name})
    full = spec.rewards[gate].bounds()[1]
    return Prospect(*(_through(mark, opens, full) for mark, opens in zip(own, gates, strict=True)))


def _through(mark: Interval, gate: Interval, full: float) -> Interval:
    """What is left of a mark behind a gate, which gives 0 where it is closed."""
    if gate.highest < full:
        return Interval(0.0, 0.0)
    if gate.lowest >= full:
        return mark
    return Interval(min(mark.lowest, 0.0), max(mark.highest, 0.0))


def _ungated(reward: Reward) -> Prospect:
    least, most = (float(bound) for bound in reward.bounds())
    low, full, any_ = Interval(least, least), Interval(most, most), Interval(least, most)
    if reward.kind == "cosine_length":
        right = Interval(reward.min_value_correct, reward.max_value_correct)
        wrong = Interval(reward.min_value_wrong, reward.max_value_wrong)
        return Prospect(right, wrong, ideal=right, other=wrong, empty=wrong, cut=any_)
    match reward.purpose:
        case "correctness" if reward.kind == "judge":
            # A right answer is to be graded so; that the crafted ones are, nobody can promise.
            return Prospect(full, low, any_, any_, any_, any_)
        case "correctness":
            return Prospect(full, low, ideal=full, other=low, empty=low, cut=any_)
        case "format":
            return Prospect(any_, any_, ideal=full, other=full, empty=low, cut=any_)
        case "style" | "length" if most <= 0:
            # What is taken away for a fault; the crafted completions have none.
            return Prospect(any_, any_, full, full, full, full)
        case _:
            return Prospect(any_, any_, any_, any_, any_, any_)
