"""The report on rows that stages have of their own, and the fast test of their form."""

from compiler.literals import literal, text_literal
from compiler.plan.checks import StageReportFile
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.checks.answer_report import checked_by
from compiler.resolve.checks.report import no_tokenizer
from compiler.resolve.graded import revision
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import (
    format_of,
    is_unpaired,
    learns_answers,
    learns_conversations,
    learns_turns,
    samples,
)
from spec_schema import TaskSpec
from spec_schema.stages.rollout import RolloutStage

__all__ = ["plan_stage_report"]


def plan_stage_report(inputs: Inputs) -> StageReportFile | None:
    """The context of stage_report.py, None where all stages learn from the rows of `[data]`."""
    spec = inputs.spec
    own = [name for name in inputs.stage_names if spec.stages[name].data is not None]
    if not own:
        return None
    mapped = [name for name in own if format_of(spec, name)]
    loads = ", ".join(
        f"{text_literal(name)}: (data.load_{name}_train, {literal(_gives(inputs, name))})"
        for name in own
    )
    checks = tuple(_check(inputs, name) for name in mapped)
    return StageReportFile(
        checks=checks,
        limits=literal({name: _limit(spec, name) for name in mapped}),
        examines=any("answer_report." in check for check in checks),
        renders=any("template_report." in check for check in checks),
        encodes=any("partial(" in check for check in checks),
        loads=f"{{{loads}}}",
        alone=spec.data.train is None,
        tokenizer=tokenizer_code(spec, "BASE", revision(inputs)),
        tokenizer_import=tokenizer_import(spec),
        no_tokenizer=no_tokenizer(spec.model.base),
    )


def _limit(spec: TaskSpec, name: str) -> tuple[int, str]:
    """The longest row of a stage in tokens, and what TRL 1.16 makes of a longer one."""
    stage = spec.stages[name]
    if isinstance(stage, RolloutStage):
        drops = spec.data.on_long_prompt == "drop"
        return spec.data.max_prompt_tokens, "left out" if drops else "which stops the stage"
    longest = int(stage.trainer.get("max_length") or stage.max_length)
    return longest, "left out by TRL" if stage.method == "reward" else "cut by TRL at the end"


def _check(inputs: Inputs, name: str) -> str:
    """The call that checks one stage."""
    data = inputs.spec.stages[name].data
    parts = ("train",) if data is None or data.eval is None else ("train", "eval")
    sources = ", ".join(f'"{part}": data.{name}_{part}_source()' for part in parts)
    answers = f", {checked_by(inputs, name)}" if learns_answers(inputs.spec, name) else ""
    if learns_conversations(inputs.spec, name):
        answers += ", partial(template_report.check_rows, tokenizer=tokenizer)"
    return f'check_stage("{name}", {{{sources}}}, data.{name}_row, tokenizer{answers})'


def _gives(inputs: Inputs, name: str) -> tuple[str, ...]:
    """The columns that the trainer of a stage reads."""
    parts = format_of(inputs.spec, name)
    if not parts or samples(inputs.spec, name):
        return ("prompt",)
    if learns_turns(inputs.spec, name):
        return ("prompt", "completion")
    if is_unpaired(inputs.spec, name):
        return ("prompt", "completion", "label")
    parts = tuple(
        {"question": "prompt", "response": "completion"}.get(part, part) for part in parts
    )
    return ("prompt", *parts) if parts[0] == "chosen" else parts
