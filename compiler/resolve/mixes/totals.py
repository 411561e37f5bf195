"""What a mix makes of its rewards: whom it pays most, and whether it tells completions apart."""

from collections.abc import Mapping

from compiler.plan.stages import Totals, WeightPlan
from compiler.resolve.mixes.prospects import Prospect
from spec_schema import TaskSpec
from spec_schema.stages.rollout import RolloutStage

__all__ = ["is_constant", "lone_length", "normalizes_first", "totals_of"]

Weights = Mapping[str, WeightPlan]
Prospects = Mapping[str, Prospect]


def totals_of(stage: RolloutStage, weights: Weights, prospects: Prospects) -> tuple[Totals, ...]:
    """The totals at the start and at the end of a stage, once where they are the same.

    None at an end where correctness is not paid, and none at all with `normalize_then_sum`, where
    what a completion earns depends on the others of its group.
    """
    if normalizes_first(stage):
        return ()
    scheduled = any(weight.first != weight.last for weight in weights.values())
    ends = ("at its start", "at its end") if scheduled else ("",)
    found = [_totals(weights, prospects, when) for when in ends]
    totals = tuple(each for each in found if each is not None)
    if len({(each.wrong, each.right) for each in totals}) == 1 and len(totals) == len(ends):
        return (totals[-1]._replace(when=""),)
    return totals


def lone_length(spec: TaskSpec, weights: Weights) -> str | None:
    """A length that is paid for without a counterweight; one that waits for a reward has that."""
    rewards, paid = spec.rewards, _paid(weights)
    if any(rewards[name].purpose in ("correctness", "format", "model", "own") for name in paid):
        return None
    alone = (name for name in paid if rewards[name].purpose == "length")
    return next((name for name in alone if rewards[name].only_if is None), None)


def is_constant(weights: Weights, prospects: Prospects) -> bool:
    """Whether an ideal, a wrong, an empty and a cut completion are all paid one and the same."""
    return all(prospects[name].is_constant for name in _paid(weights))


def _paid(weights: Weights) -> list[str]:
    return [name for name, weight in weights.items() if weight.highest > 0]


def normalizes_first(stage: RolloutStage) -> bool:
    """Whether each reward is scaled to its spread in the group before it is weighed."""
    return stage.trainer.get("multi_objective_aggregation") == "normalize_then_sum"


def _totals(weights: Weights, prospects: Prospects, when: str) -> Totals | None:
    wrong = right = 0.0
    correctness: dict[str, float] = {}
    for name, planned in weights.items():
        prospect = prospects[name]
        weight = _worst(planned, prospect, at_start=when == "at its start")
        if weight == 0:
            continue  # 0 of a reward without bounds is nothing as well
        wrong += weight * prospect.wrong.highest
        right += weight * prospect.right.lowest
        if prospect.separates:
            correctness[name] = weight
    if not correctness:
        return None
    return Totals(when, wrong, right, max(correctness, key=lambda name: correctness[name]))


def _worst(planned: WeightPlan, prospect: Prospect, *, at_start: bool) -> float:
    """The weight at this end; of one that adapts, what helps the wrong answer most."""
    if planned.first != planned.last:
        return planned.first if at_start else planned.last
    helps = prospect.wrong.highest > prospect.right.lowest
    return planned.highest if helps else planned.lowest
