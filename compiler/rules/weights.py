"""The keys beside a reward's weight: what it waits for, and how its weight moves."""

from compiler.closest import closest, shortened
from compiler.rules.case import Case
from spec_schema.moving_weights import Adapt, Schedule
from spec_schema.rewards import Reward
from spec_schema.stages.rollout import RolloutStage

__all__ = ["check_weights"]


def check_weights(case: Case) -> None:
    """Report what is wrong with `only_if`, with `adapt` and with schedules."""
    _gates_can_open(case)
    _schedules_move(case)
    _adapt_has_room(case)
    _moving_weights_are_used(case)


def _gates_can_open(case: Case) -> None:
    """`only_if` names another reward, which can be full and does not wait for this one."""
    rewards = case.spec.rewards
    for name, reward in rewards.items():
        gate = reward.only_if
        if gate is None:
            continue
        path = ("rewards", name, "only_if")
        if gate not in rewards:
            meant = closest(gate, rewards)
            hints = (f"did you mean `{meant}`?",) if meant else ()
            message = f"there is no reward `{shortened(gate)}` in `[rewards]`"
            case.error("unknown-reward", path, message, *hints)
        elif name in (circle := _waited_for(rewards, name)):
            others = (*circle[: circle.index(name)], name)
            chain = ", which waits for ".join(f"`{other}`" for other in others)
            message = f"`{name}` waits for {'itself' if gate == name else chain}"
            case.error("bad-gate", path, message, "let one of them pay by itself")
        elif rewards[gate].bounds()[1] == float("inf"):
            message = f"`{gate}` has no upper end, so that it is never full"
            hint = f"give `{gate}` a bounded range, or let `{name}` pay by itself"
            case.error("bad-gate", path, message, hint)


def _waited_for(rewards: dict[str, Reward], name: str) -> list[str]:
    """The rewards that one waits for, in turn, up to where there is no more or one comes again."""
    found: list[str] = []
    while (gate := rewards[name].only_if) is not None and gate in rewards and gate not in found:
        found.append(gate)
        name = gate
    return found


def _schedules_move(case: Case) -> None:
    """A schedule goes from one weight to another."""
    for name, reward in case.spec.rewards.items():
        schedule = reward.weight
        if isinstance(schedule, Schedule) and schedule.from_ == schedule.to:
            case.warning(
                "no-effect",
                ("rewards", name, "weight"),
                f"the weight of `{name}` does not move: it goes from {schedule.from_:g} to "
                f"{schedule.to:g}",
                f"write `weight = {schedule.to:g}`",
            )


def _adapt_has_room(case: Case) -> None:
    """`adapt` begins at a number within its bounds, and has means to act on."""
    for name, reward in case.spec.rewards.items():
        if reward.adapt is None:
            continue
        path = ("rewards", name, "adapt")
        if isinstance(reward.weight, Schedule):
            case.error(
                "conflicting-keys",
                path,
                "`adapt` cannot stand beside a schedule",
                "write `weight` as a number, at which it begins, or leave `adapt` out",
                at="key",
                related=((("rewards", name, "weight"), "the schedule"),),
            )
            continue
        fault = _fault(reward.weight, reward.adapt)
        if fault is not None:
            case.error("bad-value", path, f"`adapt` of `{name}` {fault[0]}", fault[1], at="key")
            continue
        lowest, highest = reward.bounds()
        if reward.adapt.below <= lowest and reward.adapt.above >= highest:
            message = f"`adapt` never acts: the mean of `{name}` is from {lowest:g} to {highest:g}"
            hint = "write `below` or `above` between the two"
            case.warning("no-effect", path, message, hint, at="key")


def _fault(weight: float, adapt: Adapt) -> tuple[str, str] | None:
    """What is wrong with the numbers of `adapt`, and what to do."""
    if adapt.below >= adapt.above:
        what = f"has `below = {adapt.below:g}`, not under `above = {adapt.above:g}`"
        return what, "leave room between the two, in which the weight rests"
    if not adapt.min <= weight <= adapt.max:
        what = f"begins at {weight:g}, outside of {adapt.min:g} to {adapt.max:g}"
        return what, "let `weight` be from `min` to `max`"
    if weight == 0:
        return "begins at 0, and 0 times any factor is 0", "write a `weight` above 0"
    return None


def _moving_weights_are_used(case: Case) -> None:
    """A weight that moves is not replaced by a number in every stage that calls the reward."""
    stages = [stage for stage in case.spec.stages.values() if isinstance(stage, RolloutStage)]
    for name, reward in case.spec.rewards.items():
        key = "weight" if isinstance(reward.weight, Schedule) else "adapt"
        moves = isinstance(reward.weight, Schedule) or reward.adapt is not None
        mixes = [stage.rewards for stage in stages if name in (stage.rewards or case.spec.rewards)]
        if moves and mixes and all(isinstance(mix, dict) for mix in mixes):
            case.warning(
                "no-effect",
                ("rewards", name, key),
                f"the weight of `{name}` never moves: each stage that calls it gives it a number",
                "let the stage's `rewards` be a list of names, which keeps it",
                at="key",
            )
