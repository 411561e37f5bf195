"""What an optimizer step is, and how large: the same for every method."""

import math
from collections.abc import Iterable

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import defaulted, keyed, tiered
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.methods import METHODS
from compiler.resolve.starts import adapter_of
from spec_schema.stage_table import StageTable
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["length_argument", "step_arguments", "whole_epochs"]

# TRL's default of a reward model is the rate for an adapter already; a tenth is for all weights.
FOR_AN_ADAPTER = frozenset({"reward"})


def length_argument(name: str, stage: Stage) -> Argument:
    """How long the stage is: `max_steps` or `num_train_epochs`."""
    if stage.steps is not None:
        return keyed("max_steps", stage.steps, ("stages", name, "steps"))
    epochs, comment = 1.0 if stage.epochs is None else stage.epochs, ""
    if isinstance(stage, RolloutStage) and (laid_out := whole_epochs(stage)) > 1:
        epochs /= laid_out
        comment = f"of the {laid_out} epochs that in_epochs lays out as one"
    value = int(epochs) if epochs == int(epochs) else epochs
    return keyed("num_train_epochs", value, ("stages", name, "epochs"), comment=comment)


def whole_epochs(stage: StageTable) -> int:
    """The epochs of a stage, the last one counted whole."""
    return math.ceil(1.0 if stage.epochs is None else stage.epochs)


def step_arguments(inputs: Inputs, name: str, stage: Stage) -> Iterable[Argument]:
    """The learning rate, and the step as the tier splits it."""
    batch = mechanics_of(inputs, name).batch
    yield _learning_rate(inputs, name, stage)
    layout = f"{batch.per_device} per device * {batch.accumulation} accumulation"
    if batch.processes > 1:
        layout += f" * {batch.processes} GPUs"
    if isinstance(stage, RolloutStage):
        said = (
            f"{stage.prompts_per_step} prompts * {stage.num_generations} generations = "
            f"{batch.size} completions a step = {layout}"
        )
    else:
        said = f"{batch.size} {METHODS[stage.method].unit}s a step = {layout}"
    yield tiered("per_device_train_batch_size", batch.per_device, comment=said)
    yield tiered("gradient_accumulation_steps", batch.accumulation)


def _learning_rate(inputs: Inputs, name: str, stage: Stage) -> Argument:
    """The spec's rate, or TRL's for all weights, for LoRA times ten (TRL, peft_integration)."""
    if stage.learning_rate is not None:
        return keyed("learning_rate", stage.learning_rate, ("stages", name, "learning_rate"))
    lora = adapter_of(inputs.spec, name) is not None
    default = inputs.stack.default(stage.method, "learning_rate")
    if stage.method in FOR_AN_ADAPTER:
        reason = "TRL's default" if lora else "a tenth of TRL's default, which is for LoRA"
        rate = default if lora else float(f"{default / 10:g}")
    else:
        reason = "TRL's default times ten, as its guide says for LoRA" if lora else "TRL's default"
        rate = float(f"{default * 10:g}") if lora else default
    return defaulted("learning_rate", rate, reason, comment=reason)
