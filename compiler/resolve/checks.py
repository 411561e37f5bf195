"""What a project checks of itself: the data report, the evaluation, and the fast tests."""

from compiler.literals import literal, text_literal
from compiler.plan.checks import DataReportFile, EvaluateFile, TestDataFile, TestRewardsFile
from compiler.plan.project import PlannedFile
from compiler.plan.stages import RewardPlan, StagePlan
from compiler.resolve.ideal import ideal_template
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards import counts_tokens
from spec_schema.data import Holdout
from spec_schema.prompt import ShotRows
from spec_schema.rewards import CorrectReward, PythonReward

__all__ = ["plan_checks"]

# Completions that are sampled at once, cautious where the model's memory is not estimated.
ROWS_AT_ONCE = {"cpu": 64}
ROWS_AT_ONCE_ON_A_GPU = 16
COMPLETION_LENGTH = 512  # TRL's default, where no stage says one

# An ideal completion earns all that is paid for these.
TELLING = ("correctness", "format")


def plan_checks(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> tuple[PlannedFile, ...]:
    """The report behind `python data.py`, evaluate.py, and the tests of rows and rewards."""
    files = [
        PlannedFile("data_report.py", "data_report.py.jinja", _report(inputs, stages, rewards)),
        PlannedFile("tests/test_data.py", "tests/test_data.py.jinja", _test_data(inputs)),
    ]
    if inputs.spec.data.eval is not None:
        context = _evaluate(inputs, stages, rewards)
        files.append(PlannedFile("evaluate.py", "evaluate.py.jinja", context))
    if rewards:
        context = _test_rewards(inputs, stages, rewards)
        files.append(PlannedFile("tests/test_rewards.py", "tests/test_rewards.py.jinja", context))
    return tuple(files)


def _no_tokenizer(base: str) -> str:
    """The finding where the tokenizer cannot be loaded: a folder has to be there by now."""
    level = "error" if base.startswith(("./", "../", "/")) else "warning"
    return text_literal(f"{level}: lengths are not checked, without the tokenizer of {base}")


def _revision(inputs: Inputs) -> str | None:
    revision = inputs.spec.model.revision
    return None if revision is None else text_literal(revision)


def _has_ideal(inputs: Inputs) -> bool:
    return ideal_template(inputs.spec, inputs.system) is not None


def _has_answer(inputs: Inputs) -> bool:
    return inputs.spec.answer is not None and inputs.spec.data.gold is not None


def _telling(inputs: Inputs, rewards: tuple[RewardPlan, ...]) -> tuple[RewardPlan, ...]:
    """The rewards of correctness and format, which an ideal completion earns in full."""
    if not _has_ideal(inputs):
        return ()
    spec = inputs.spec.rewards
    return tuple(reward for reward in rewards if spec[reward.name].pays_for in TELLING)


def _report(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> DataReportFile:
    paid = [stage for stage in stages if stage.group is not None]
    learnt = [stage for stage in stages if stage.group is None]
    has_ideal = _has_ideal(inputs)
    telling = _telling(inputs, rewards)
    others = tuple(reward for reward in rewards if reward not in telling) if has_ideal else ()
    marks = ", ".join(
        f"rewards.{reward.name}: {literal(float(reward.highest))}" for reward in telling
    )
    return DataReportFile(
        full_marks=f"{{{marks}}}" if telling else None,
        others=_names(others),
        others_count_tokens=any(counts_tokens(inputs.spec.rewards[r.name]) for r in others),
        prompts_needed=_table(
            {stage.name: stage.batch.sequences // (stage.group or 1) for stage in paid}
        ),
        completion_limits=_table(
            {stage.name: stage.value("max_completion_length") for stage in paid}
        )
        if has_ideal
        else None,
        sequence_limits=_table({stage.name: stage.value("max_length") for stage in learnt}),
        revision=_revision(inputs),
        no_tokenizer=_no_tokenizer(inputs.spec.model.base),
        long_prompt=literal("warning" if inputs.spec.data.on_long_prompt == "drop" else "error"),
        has_answer=_has_answer(inputs),
        has_eval=inputs.spec.data.eval is not None,
        has_ideal=has_ideal,
        reads_back=has_ideal and _has_answer(inputs),
    )


def _evaluate(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> EvaluateFile:
    spec = inputs.spec
    cpu = spec.hardware.tier == "cpu"
    shown = tuple(
        reward.name
        for reward in rewards
        if not isinstance(spec.rewards[reward.name], CorrectReward)
    )
    sampled = [stage.value("max_completion_length") for stage in stages if stage.group is not None]
    longest = spec.eval.max_completion_length or (sampled[-1] if sampled else COMPLETION_LENGTH)
    greedy = spec.eval.temperature == 0
    temperature = f"temperature={literal(spec.eval.temperature)}"
    rows = ROWS_AT_ONCE.get(spec.hardware.tier, ROWS_AT_ONCE_ON_A_GPU)
    return EvaluateFile(
        stages=literal(tuple(stage.name for stage in stages)),
        samples=literal(spec.eval.samples),
        rows_at_once=literal(rows),
        seed=literal(spec.project.seed),
        shown_rewards=literal(shown) if shown else None,
        last_stage=text_literal(stages[-1].name),
        minimum=_table(spec.eval.minimum),
        revision=_revision(inputs),
        dtype=literal("float32" if cpu else "auto"),  # as saved: rounding would lose small updates
        device=literal("cpu" if cpu else "cuda"),
        decoding=("do_sample=False",)
        if greedy
        else ("do_sample=True", temperature, "top_p=1.0", "top_k=0"),
        max_new_tokens=literal(longest),
        has_answer=_has_answer(inputs),
        has_rewards=bool(rewards),
    )


def _test_data(inputs: Inputs) -> TestDataFile:
    spec = inputs.spec
    shots = spec.prompt.shots
    count = len(shots.rows) if isinstance(shots, ShotRows) else len(shots or ())
    system = ["system"] if spec.prompt.system is not None else []
    gold = ("gold",) if spec.data.gold is not None else ()
    return TestDataFile(
        roles=literal([*system, *(["user", "assistant"] * count), "user"]),
        parts=literal((*spec.data.fields, *gold)),
        has_answer=_has_answer(inputs),
        has_ideal=_has_ideal(inputs),
        reads_back=_has_ideal(inputs) and _has_answer(inputs),
        has_sft=any(stage.method == "sft" for stage in spec.stages.values()),
        has_eval=spec.data.eval is not None,
        has_holdout=isinstance(spec.data.eval, Holdout),
    )


def _test_rewards(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> TestRewardsFile:
    spec = inputs.spec.rewards
    paid = [text_literal(stage.name) for stage in stages if stage.mix is not None]
    ranges = (
        f"rewards.{reward.name}: {literal((float(reward.lowest), float(reward.highest)))}"
        for reward in rewards
    )
    telling = _telling(inputs, rewards)
    correct = tuple(r for r in telling if spec[r.name].pays_for == "correctness")
    return TestRewardsFile(
        stages="{" + ", ".join(paid) + "}" if paid else "set()",
        ranges="{" + ", ".join(ranges) + "}",
        telling=_names(telling),
        correct=_names(correct),
        both_shapes=_names(
            tuple(reward for reward in rewards if not isinstance(spec[reward.name], PythonReward))
        ),
        has_answer=_has_answer(inputs),
        has_ideal=_has_ideal(inputs),
    )


def _names(rewards: tuple[RewardPlan, ...]) -> str | None:
    """The functions of these rewards as a tuple, None where there are none."""
    names = ", ".join(f"rewards.{reward.name}" for reward in rewards)
    return f"({names},)" if names else None


def _table(values: dict[str, object] | dict[str, float] | dict[str, int]) -> str | None:
    """A dict literal, None where it would be empty."""
    return literal(values) if values else None
