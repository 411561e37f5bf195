"""The arithmetic of a stage as PLAN.md shows it: prompts, completions, tokens, optimizer steps."""

import math

from compiler.plan.mechanics import Batch
from compiler.plan.stages import StagePlan
from compiler.resolve.data_page import training_rows
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from spec_schema.stages.rollout import RolloutStage

__all__ = ["arithmetic", "counted", "longest_step", "steps_in_all", "updates_of"]


def arithmetic(inputs: Inputs, stage: StagePlan) -> str:
    """Prompts, completions, tokens and optimizer steps, as far as they are known now."""
    batch, unit = stage.batch, METHODS[stage.method].unit
    layout = f"{batch.per_device} per device * {batch.accumulation} accumulation"
    if batch.processes > 1:
        layout += f" * {batch.processes} GPUs"
    most = f"at most {longest_step(inputs, stage):,} tokens"
    if stage.group is None:
        said = f"One optimizer step takes {counted(batch.size, unit)} = {layout}, {most}."
    else:
        prompts = batch.size // stage.group
        said = (
            f"One optimizer step takes {counted(prompts, 'prompt')} * {stage.group} generations = "
            f"{batch.size:,} completions = {layout}, {most}.{_micro_step(stage.group, batch)}"
        )
    return said + _length(inputs, stage, batch, unit)


def longest_step(inputs: Inputs, stage: StagePlan) -> int:
    """The tokens of a step whose rows are all as long as they may be, prompts included."""
    written = inputs.spec.stages[stage.name]
    if isinstance(written, RolloutStage):
        longest = inputs.spec.data.max_prompt_tokens + written.max_completion_length
        return stage.batch.size * longest
    return stage.batch.size * METHODS[stage.method].sequences * written.max_length


def steps_in_all(inputs: Inputs, stage: StagePlan) -> int | None:
    """The optimizer steps of a whole stage; None where only the data says."""
    steps, rows = stage.value("max_steps"), training_rows(inputs, stage.name)
    if steps is not None or rows is None:
        return steps
    asked = inputs.spec.stages[stage.name].epochs or 1.0
    # In RL the epochs are laid out as one, of which a last rollout that is not full is dropped.
    laid_out = 1 if stage.group is None else math.ceil(asked)
    per_step = stage.batch.size // (stage.group or 1)
    if stage.group is None:
        a_pass = math.ceil(rows / per_step)
    else:
        updates, iterations = updates_of(stage)
        a_pass = rows * laid_out // (per_step * updates) * updates * iterations
    return math.ceil(a_pass * asked / laid_out)


def updates_of(stage: StagePlan) -> tuple[int, int]:
    """The steps that a rollout is shared out among, and how often each is made again."""
    accumulation = stage.batch.accumulation
    sampled = stage.value("steps_per_generation") or accumulation
    return sampled // accumulation, stage.value("num_iterations") or 1


def _micro_step(group: int, batch: Batch) -> str:
    """How many prompts the GPUs pass at once, where these are whole ones."""
    prompts, rest = divmod(batch.per_device * batch.processes, group)
    if rest or batch.accumulation == 1:
        return ""
    return f" Each of its {batch.accumulation} micro-steps takes {counted(prompts, 'prompt')}."


def _length(inputs: Inputs, stage: StagePlan, batch: Batch, unit: str) -> str:
    """How many steps there are, or how many rows they see."""
    steps, rows = stage.value("max_steps"), training_rows(inputs, stage.name)
    said, per_step = "", batch.size // (stage.group or 1)
    updates, iterations = updates_of(stage)
    if updates > 1:
        said += f" A rollout of {counted(per_step * updates, unit)} is good for {updates} steps."
    if iterations > 1:
        said += f" Each batch of completions is trained on {iterations} times."
    if steps is not None:
        seen = steps * per_step // iterations
        total = f" {counted(steps, 'step')} see {counted(seen, unit)}"
        return said + total + (f", {_rounded(seen / rows)} epochs." if rows else ".")
    asked = inputs.spec.stages[stage.name].epochs or 1.0
    epochs = int(asked) if asked == int(asked) else asked
    if rows is None:
        return said + f" {counted(epochs, 'epoch')}; how many steps that is, only the data says."
    total = steps_in_all(inputs, stage) or 0
    return said + f" {counted(epochs, 'epoch')} of {rows} rows are {counted(total, 'step')}."


def _rounded(number: float) -> str:
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}"  # noqa: PLR2004 - two digits or more


def counted(number: float, noun: str) -> str:
    """A number with what it counts."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
