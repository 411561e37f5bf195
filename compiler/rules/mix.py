"""The mix of rewards of a stage: something is paid, and being right is."""

from compiler.parse import KeyPath
from compiler.resolve.mixes import prospects_of, weights_of
from compiler.rules.case import Case
from spec_schema.stages.rollout import RolloutStage

__all__ = [
    "grpo_is_paid",
    "rewards_are_called",
    "right_answers_are_paid",
    "weights_move_and_wait",
]


def weights_move_and_wait(case: Case) -> None:
    """What stands beside a weight goes with it; few specs have anything there."""
    for reward in case.spec.rewards.values():
        if reward.only_if or reward.adapt or not isinstance(reward.weight, int | float):
            from compiler.rules.weights import check_weights

            check_weights(case)
            return


def grpo_is_paid(case: Case) -> None:
    """A GRPO stage has rewards, of which one at least has a weight."""
    for name, stage in _paid_stages(case):
        if not case.spec.rewards:
            case.error(
                "missing-key",
                ("stages", name),
                f"stage `{name}` trains on rewards, and there is no `[rewards]`",
                "add `[rewards]` with one reward at least",
                at="key",
            )
            continue
        mix = weights_of(case.spec, stage)
        if _names_a_stranger(case, stage) or any(weight.highest for weight in mix.values()):
            continue
        why = "every weight is 0" if mix else "its mix is empty"
        case.error(
            "nothing-paid",
            _mix_path(name, stage),
            f"stage `{name}` pays no reward: {why}",
            "give one reward at least a weight above 0",
            at="key",
            related=() if stage.rewards is not None else ((("stages", name), "the stage"),),
        )


def rewards_are_called(case: Case) -> None:
    """Every reward is called by a stage, or by one that waits for it."""
    spec = case.spec
    stages = _paid_stages(case)
    if any(_names_a_stranger(case, stage) for _, stage in stages):
        return  # a name that is wrong was meant for one of these
    called = {name for _, stage in stages for name in weights_of(spec, stage)}
    called |= {reward.only_if for reward in spec.rewards.values() if reward.only_if is not None}
    for name in spec.rewards if called else ():
        if name not in called and name not in spec.eval.minimum:
            case.warning(
                "unused-reward",
                ("rewards", name),
                f"no stage calls the reward `{name}`",
                f"name it in the `rewards` of a stage, `{name} = 0.0` to log it only, or remove it",
                at="key",
            )


def right_answers_are_paid(case: Case) -> None:
    """The last stage on rewards pays one that looks at the gold: what it leaves is what is kept."""
    spec, stages = case.spec, _paid_stages(case)
    if spec.answer is None or any(_names_a_stranger(case, stage) for _, stage in stages):
        return
    paid = [(name, stage, _paid(case, stage)) for name, stage in stages]
    looking = {
        name
        for name, prospect in prospects_of(spec).items()
        if prospect.looks_at_gold
        or spec.rewards[name].purpose == "own"
        or "{gold}" in getattr(spec.rewards[name], "rubric", "")
    }
    if not paid or not paid[-1][2] or paid[-1][2] & looking:
        return
    name, stage, _ = paid[-1]
    earlier = [before for before, _, rewards in paid if rewards & looking]
    what = (
        f"the last stage on rewards, `{name}`, pays none" if earlier else "no stage pays a reward"
    )
    path = _mix_path(name, stage) if earlier else ("rewards",)
    case.warning(
        "unpaid-correctness",
        path,
        f"{what} that looks at the gold: the model learns form, not answers",
        "add `correct = 1.0`, or give it a weight in a stage's `rewards`",
        at="key",
        related=((("answer",), "how answers are read"),),
    )


def _paid_stages(case: Case) -> list[tuple[str, RolloutStage]]:
    """The stages on rewards in the order in which they run."""
    stages = case.spec.stages
    names = [name for name in case.spec.project.stages or stages if name in stages]
    return [(name, stage) for name in names if isinstance(stage := stages[name], RolloutStage)]


def _names_a_stranger(case: Case, stage: RolloutStage) -> bool:
    """Whether the stage names a reward that does not exist, of which another rule speaks."""
    return any(name not in case.spec.rewards for name in stage.rewards or ())


def _paid(case: Case, stage: RolloutStage) -> set[str]:
    return {name for name, weight in weights_of(case.spec, stage).items() if weight.highest > 0}


def _mix_path(name: str, stage: RolloutStage) -> KeyPath:
    return ("rewards",) if stage.rewards is None else ("stages", name, "rewards")
