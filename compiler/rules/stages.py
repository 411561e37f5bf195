"""Stages: where they start, how long they are, and what they need."""

from compiler.parse import KeyPath
from compiler.resolve.prompts import ideal_template
from compiler.rules.case import Case
from compiler.rules.findings import report_finding
from compiler.stack import STACKS, check_trainer_entry, load_stack
from spec_schema.stages import GrpoStage, SftStage

__all__ = [
    "evaluation_has_rows",
    "grpo_is_paid",
    "one_length",
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
                f"stage `{name}` cannot start from `{start}`, which {why}",
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
                path: KeyPath = ("stages", name, "trainer", field)
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
        match stage.rewards:
            case None:
                path: KeyPath = ("rewards",)
                weights = [reward.weight for reward in case.spec.rewards.values()]
            case list() as names:
                path = ("stages", name, "rewards")
                known = [reward for reward in names if reward in case.spec.rewards]
                weights = [case.spec.rewards[reward].weight for reward in known]
            case dict() as mix:
                path = ("stages", name, "rewards")
                weights = list(mix.values())
        if not any(weights):
            case.error(
                "nothing-paid",
                path,
                f"stage `{name}` pays no reward: every weight is 0",
                "give one reward at least a weight above 0",
                at="key",
            )


def sft_has_a_target(case: Case) -> None:
    """An SFT stage has ideal completions to learn."""
    if ideal_template(case.spec, None) is not None:
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


def evaluation_has_rows(case: Case) -> None:
    """What is evaluated needs `[data] eval`, and greedy decoding gives one sample."""
    spec = case.spec
    if spec.data.eval is None:
        for path in (("run", "eval_every"), ("eval", "minimum")):
            if case.writes(path):
                case.error(
                    "missing-key",
                    ("data",),
                    f"`eval` is missing: `[{path[0]}] {path[1]}` needs held-out rows",
                    "add `eval` with a source, or `eval = { holdout = 0.1 }`",
                    at="key",
                    related=((path, "asked for here"),),
                )
    if spec.eval.temperature == 0 and spec.eval.samples > 1:
        at = ("eval", "samples" if case.writes(("eval", "samples")) else "temperature")
        case.error(
            "conflicting-keys",
            at,
            f"`temperature = 0` gives the same completion {spec.eval.samples} times",
            "write `samples = 1`, or a temperature above 0",
        )
