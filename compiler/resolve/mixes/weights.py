"""The weight of a reward in a stage: a number, a schedule over its steps, or one that adapts."""

from typing import TYPE_CHECKING

from compiler.literals import literal
from compiler.plan.stages import MixPlan, WeightPlan
from spec_schema import TaskSpec
from spec_schema.rewards import Reward
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.moving_weights import Adapt, Schedule

__all__ = ["moves", "schedules_of", "some_move", "weights_of"]

# The class of schedules.py for each shape.
CLASSES = {"linear": "Linear", "cosine": "Cosine", "step": "Step"}


def weights_of(spec: TaskSpec, stage: RolloutStage) -> dict[str, WeightPlan]:
    """The rewards that a stage calls, with their weights; names that do not exist are left out.

    A number in the stage's own table takes the place of a schedule and of `adapt`.
    """
    rewards = spec.rewards
    match stage.rewards:
        case None:
            return {name: _of_reward(reward) for name, reward in rewards.items()}
        case list() as names:
            return {name: _of_reward(rewards[name]) for name in names if name in rewards}
        case dict() as mix:
            return {name: _number(weight) for name, weight in mix.items() if name in rewards}


def moves(spec: TaskSpec, stage: RolloutStage) -> bool:
    """Whether a weight changes while a stage trains."""
    return any(weight.schedule is not None for weight in weights_of(spec, stage).values())


def some_move(spec: TaskSpec) -> bool:
    """Whether a weight changes in any stage."""
    paid = (stage for stage in spec.stages.values() if isinstance(stage, RolloutStage))
    return any(moves(spec, stage) for stage in paid)


def schedules_of(mixes: tuple[MixPlan, ...]) -> tuple[str, ...]:
    """The classes of schedules.py that the mixes use."""
    found = {weight.schedule for mix in mixes for _, weight in mix.weights if weight.schedule}
    return tuple(sorted(found))


def _of_reward(reward: Reward) -> WeightPlan:
    match reward.weight:
        case int() | float() as number:
            return _number(number) if reward.adapt is None else _adaptive(number, reward.adapt)
        case schedule:
            return _scheduled(schedule)


def _number(weight: float) -> WeightPlan:
    number = float(weight)
    return WeightPlan(literal(number), f"{number:g}", number, number, number, number)


def _scheduled(schedule: "Schedule") -> WeightPlan:
    first, last = float(schedule.from_), float(schedule.to)
    name = CLASSES[schedule.shape]
    steps = schedule.steps
    how = f"after {steps} steps" if schedule.shape == "step" else f"in {steps} steps"
    return WeightPlan(
        f"{name}({literal(first)}, {literal(last)}, steps={literal(steps)})",
        f"{first:g} to {last:g} {how}, {schedule.shape}",
        first,
        last,
        min(first, last),
        max(first, last),
        name,
        steps,
    )


def _adaptive(weight: float, adapt: "Adapt") -> WeightPlan:
    bounds = {"below": adapt.below, "above": adapt.above, "up": adapt.up, "down": adapt.down}
    bounds |= {"least": adapt.min, "most": adapt.max}
    arguments = ", ".join(f"{name}={literal(float(value))}" for name, value in bounds.items())
    return WeightPlan(
        f"Adaptive({literal(float(weight))}, {arguments})",
        f"{weight:g}, adapts from {adapt.min:g} to {adapt.max:g}",
        float(weight),
        float(weight),
        float(adapt.min),
        float(adapt.max),
        "Adaptive",
    )
