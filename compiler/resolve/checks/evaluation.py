"""The evaluation of a project's models on held-out rows."""

from compiler.literals import literal, text_literal
from compiler.plan.checks import EvaluateFile
from compiler.plan.stages import RewardPlan, StagePlan
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.graded import has_answer, revision, table, waits
from compiler.resolve.inputs import Inputs

__all__ = ["plan_evaluation"]

# Completions that are sampled at once, cautious where the model's memory is not estimated.
ROWS_AT_ONCE = {"cpu": 64}
ROWS_AT_ONCE_ON_A_GPU = 16
COMPLETION_LENGTH = 512  # TRL's default, where no stage says one


def plan_evaluation(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> EvaluateFile:
    """The context of evaluate.py."""
    spec = inputs.spec
    cpu = spec.hardware.tier == "cpu"
    sampled = [stage.value("max_completion_length") for stage in stages if stage.group is not None]
    longest = spec.eval.max_completion_length or (sampled[-1] if sampled else COMPLETION_LENGTH)
    temperature = f"temperature={literal(spec.eval.temperature)}"
    rows = ROWS_AT_ONCE.get(spec.hardware.tier, ROWS_AT_ONCE_ON_A_GPU)
    judges = _judges(inputs, rewards)
    reads = has_answer(inputs)
    # What `correct` gives stands in the column of that name.
    shown = tuple(reward.name for reward in rewards if judges or reward.kind != "correct")
    marks = ", ".join(
        f"rewards.{reward.name}: {literal(float(reward.highest))}" for reward in judges
    )
    return EvaluateFile(
        stages=literal(tuple(stage.name for stage in stages)),
        samples=literal(spec.eval.samples),
        rows_at_once=literal(rows),
        seed=literal(spec.project.seed),
        shown_rewards=literal(shown) if shown else None,
        last_stage=text_literal(stages[-1].name),
        minimum=table(spec.eval.minimum),
        tokenizer=tokenizer_code(spec, "path", "revision" if spec.model.revision else None),
        tokenizer_import=tokenizer_import(spec),
        revision=revision(inputs),
        dtype=literal("float32" if cpu else "auto"),  # as saved: rounding would lose small updates
        device=literal("cpu" if cpu else "cuda"),
        decoding=("do_sample=False",)
        if spec.eval.temperature == 0
        else ("do_sample=True", temperature, "top_p=1.0", "top_k=0"),
        max_new_tokens=literal(longest),
        judges=f"{{{marks}}}" if judges else None,
        has_answer=reads,
        has_rewards=bool(rewards),
        waits=bool(rewards)
        and (waits(inputs) or any(reward.kind == "judge" for reward in rewards)),
    )


def _judges(inputs: Inputs, rewards: tuple[RewardPlan, ...]) -> tuple[RewardPlan, ...]:
    """The rewards that say which completion is right, none where `[answer]` says it.

    Those that declare it with `checks_answer`; else, where no answer is read, those that try the
    completion: `code_tests` and `sql`.
    """
    spec = inputs.spec.rewards
    declared = tuple(reward for reward in rewards if spec[reward.name].checks_answer)
    if declared or has_answer(inputs):
        return declared
    return tuple(reward for reward in rewards if spec[reward.name].purpose == "correctness")
