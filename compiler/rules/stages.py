"""Stages: where they start, how long they are, and what they need."""

from compiler.closest import shortened
from compiler.rules.case import Case
from compiler.rules.findings import report_finding
from compiler.rules.ideal import has_ideal
from compiler.stack import STACKS, check_trainer_entry, load_stack
from spec_schema.rewards import CorrectReward, PythonReward
from spec_schema.stages import GrpoStage, SftStage

__all__ = [
    "grpo_is_paid",
    "mix_of",
    "one_length",
    "rewards_are_called",
    "sft_has_a_target",
    "stages_start_from_earlier_ones",
    "trainer_fields",
]


def stages_start_from_earlier_ones(case: Case) -> None:
    """`from` names `base` or a stage that runs before."""
    order = case.spec.project.stages or list(case.spec.stages)
    for name, stage in case.spec.stages.items():
        start = stage.from_
        if start is None or start == "base" or name not in order:
            continue
        earlier = order[: order.index(name)]
        if start not in earlier:
            known = ", ".join(f"`{other}`" for other in ("base", *earlier))
            why = "does not exist" if start not in case.spec.stages else "does not run before it"
            case.error(
                "unknown-stage",
                ("stages", name, "from"),
                f"stage `{name}` cannot start from `{shortened(start)}`, which {why}",
                f"it may start from {known}",
            )


def one_length(case: Case) -> None:
    """A stage has `steps` or `epochs`."""
    for name, stage in case.spec.stages.items():
        if stage.steps is not None and stage.epochs is not None:
            case.error(
                "conflicting-keys",
                ("stages", name, "epochs"),
                f"stage `{name}` has both `steps` and `epochs`",
                "keep one of them",
                at="key",
                related=((("stages", name, "steps"), "the other length"),),
            )


def trainer_fields(case: Case) -> None:
    """Each entry of `trainer` is a field of the method's TRL config that may be set there."""
    if case.spec.project.stack not in (None, *STACKS):
        return
    stack = load_stack()
    for name, stage in case.spec.stages.items():
        for field, value in stage.trainer.items():
            finding = check_trainer_entry(stack, stage.method, field, value)
            if finding is not None:
                path = ("stages", name, "trainer", field)
                at = "value" if finding.code in ("wrong-type", "bad-value") else "key"
                report_finding(case.report, finding, case.place(path, at))


def grpo_is_paid(case: Case) -> None:
    """A GRPO stage has rewards, of which one at least has a weight."""
    for name, stage in case.spec.stages.items():
        if not isinstance(stage, GrpoStage):
            continue
        if not case.spec.rewards:
            case.error(
                "missing-key",
                ("stages", name),
                f"stage `{name}` trains on rewards, and there is no `[rewards]`",
                "add `[rewards]` with one reward at least",
                at="key",
            )
            continue
        mix = mix_of(case, stage)
        if any(reward not in case.spec.rewards for reward in mix) or any(mix.values()):
            continue
        path = ("rewards",) if stage.rewards is None else ("stages", name, "rewards")
        why = "every weight is 0" if mix else "its mix is empty"
        message = f"stage `{name}` pays no reward: {why}"
        case.error(
            "nothing-paid",
            path,
            message,
            "give one reward at least a weight above 0",
            at="key",
            related=() if stage.rewards is not None else ((("stages", name), "the stage"),),
        )


def rewards_are_called(case: Case) -> None:
    """Every reward is called by a stage, and one that looks at the gold is paid."""
    spec = case.spec
    mixes = [mix_of(case, stage) for stage in spec.stages.values() if isinstance(stage, GrpoStage)]
    called = {name for mix in mixes for name in mix}
    if not called or not called <= spec.rewards.keys():
        return  # a name that is wrong was meant for one of these
    for name in spec.rewards:
        if name not in called and name not in spec.eval.minimum:
            case.warning(
                "unused-reward",
                ("rewards", name),
                f"no stage calls the reward `{name}`",
                f"name it in the `rewards` of a stage, `{name} = 0.0` to log it only, or remove it",
                at="key",
            )
    paid = {name for mix in mixes for name, weight in mix.items() if weight > 0}
    looks = (CorrectReward, PythonReward)
    looking = [name for name, reward in spec.rewards.items() if isinstance(reward, looks)]
    if spec.answer is not None and paid and not paid & set(looking):
        case.warning(
            "unpaid-correctness",
            ("rewards",),
            "no stage pays a reward that looks at the gold: the model learns form, not answers",
            "add `correct = 1.0`, or give it a weight in a stage's `rewards`",
            at="key",
            related=((("answer",), "how answers are read"),),
        )


def mix_of(case: Case, stage: GrpoStage) -> dict[str, float]:
    """The rewards that a stage calls, with their weights; 0 for one that does not exist."""
    rewards = case.spec.rewards
    match stage.rewards:
        case None:
            return {name: reward.weight for name, reward in rewards.items()}
        case list() as names:
            return {name: rewards[name].weight if name in rewards else 0.0 for name in names}
        case dict() as mix:
            return mix


def sft_has_a_target(case: Case) -> None:
    """An SFT stage has ideal completions to learn."""
    if has_ideal(case):
        return
    for name, stage in case.spec.stages.items():
        if isinstance(stage, SftStage):
            case.error(
                "missing-key",
                ("prompt",),
                f"`assistant` is missing: stage `{name}` learns ideal completions",
                "add `assistant` with what the model should write for a row",
                at="key",
            )
            return
