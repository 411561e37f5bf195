"""The report behind `python data.py`."""

from compiler.literals import literal, text_literal
from compiler.plan.checks import DataReportFile
from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.resolve.chat import sets_up_tokens, tokenizer_code, tokenizer_import
from compiler.resolve.graded import (
    has_answer,
    has_ideal,
    is_probed,
    revision,
    table,
    untold,
    waits,
)
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import format_of, is_taught_ideals
from compiler.resolve.rewards import sees_tokens
from compiler.resolve.rewards.code import worst_steps
from compiler.resolve.rows import other_columns
from compiler.resolve.solutions import running_files
from compiler.resolve.thinking import begins_thinking

__all__ = ["no_tokenizer", "plan_report"]

# Rows that crafted completions are tried on by default: seconds where a grader is a function here,
# minutes where each is run in a process of its own.
PROBED_ROWS = 10_000
PROBED_ROWS_WAITING = 1_000
PROBED_ROWS_RUNNING = 200


def plan_report(
    inputs: Inputs, stages: tuple[StagePlan, ...], rewards: tuple[RewardPlan, ...]
) -> DataReportFile:
    """The context of data_report.py."""
    spec = inputs.spec
    paid = [stage for stage in stages if stage.group is not None]
    learnt = [stage for stage in stages if stage.group is None]
    ideal = has_ideal(inputs)
    others = untold(inputs, rewards) if ideal else ()
    running = bool(running_files(spec))
    return DataReportFile(
        probed_rows=_probed_rows(inputs, running=running),
        seed=literal(spec.project.seed),
        has_others=bool(others),
        others_count_tokens=any(sees_tokens(spec, each.name) for each in others),
        opens_thinking=_opens_thinking(inputs),
        prompts_needed=table(
            {stage.name: stage.batch.size // (stage.group or 1) for stage in paid}
        ),
        completion_limits=table(
            {stage.name: stage.value("max_completion_length") for stage in paid}
        )
        if ideal
        else None,
        teaches=any(is_taught_ideals(spec, stage.name) for stage in stages),
        sequence_limits=table({stage.name: stage.value("max_length") for stage in learnt}),
        tokenizer=tokenizer_code(spec, "BASE", revision(inputs)),
        tokenizer_import=tokenizer_import(spec),
        sets_up_tokens=sets_up_tokens(spec),
        no_tokenizer=no_tokenizer(spec.model.base),
        long_prompt=literal("warning" if spec.data.on_long_prompt == "drop" else "error"),
        has_answer=has_answer(inputs),
        reads_others=bool(other_columns(spec)),
        has_eval=spec.data.eval is not None,
        has_ideal=ideal,
        has_own=any(format_of(spec, name) for name in spec.stages),
        worst_steps=worst_steps(spec, stages) if running else (),
    )


def _probed_rows(inputs: Inputs, *, running: bool) -> str | None:
    if not is_probed(inputs):
        return None
    waiting = PROBED_ROWS_WAITING if waits(inputs) else PROBED_ROWS
    return literal(PROBED_ROWS_RUNNING if running else waiting)


def no_tokenizer(base: str) -> str:
    """The finding where the tokenizer cannot be loaded: a folder has to be there by now."""
    unchecked = "lengths are not checked"
    if base.startswith(("./", "../", "/")):
        return text_literal(f"error: {unchecked}: {base} holds no tokenizer")
    return text_literal(f"warning: {unchecked}: the tokenizer of {base} cannot be loaded")


def _opens_thinking(inputs: Inputs) -> str | None:
    """Whether a completion begins inside a thinking block, where something looks at that."""
    spec = inputs.spec
    looks = has_answer(inputs) or any(
        reward.kind in ("think_format", "boxed_format", "json_format", "json_schema")
        or getattr(reward, "on", None) == "thinking"
        for reward in spec.rewards.values()
    )
    return literal(begins_thinking(spec)) if looks else None
