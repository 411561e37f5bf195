"""The keyword arguments of a stage's TRL config: what the task decided and what must be seen."""

from collections.abc import Iterable

from compiler.literals import literal
from compiler.plan.stages import LoraPlan
from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import chosen, computed, keyed
from compiler.resolve.arguments.machine import machine_arguments
from compiler.resolve.arguments.recording import recording_arguments
from compiler.resolve.arguments.step import length_argument
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.starts import adapter_of, adapter_path
from spec_schema.stages import Stage

__all__ = ["config_arguments", "lora_plan"]


def config_arguments(inputs: Inputs, name: str, revision: str | None) -> tuple[Argument, ...]:
    """The arguments of a stage's config in the order in which a reader asks for them.

    `revision` is that of the model which the stage starts from, None for an earlier stage's.
    """
    stage = inputs.spec.stages[name]
    return (
        computed("output_dir", f"output_of({literal(name)})"),
        keyed("seed", inputs.spec.project.seed, ("project", "seed")),
        length_argument(name, stage),
        *_recipe(inputs, name),
        *_trainer_arguments(inputs, name, stage),
        *_mechanics(inputs, name, revision),
        *recording_arguments(inputs, name),
    )


def _trainer_arguments(inputs: Inputs, name: str, stage: Stage) -> Iterable[Argument]:
    """The fields of the stage's `trainer`, and what sampling needs beside them."""
    stop = None
    if mechanics_of(inputs, name).vllm is not None:
        from compiler.resolve.arguments.engine import stop_argument

        stop = stop_argument(inputs, name)
    for field, value in stage.trainer.items():
        if stop is None or field != stop.name:
            yield keyed(field, value, ("stages", name, "trainer", field))
    if stop is not None:
        yield stop


def _mechanics(inputs: Inputs, name: str, revision: str | None) -> Iterable[Argument]:
    if inputs.spec.hardware.backend != "unsloth":
        return machine_arguments(inputs, name, revision)
    from compiler.resolve.arguments.unsloth import unsloth_arguments  # few specs train with it

    return unsloth_arguments(inputs, name)


def _recipe(inputs: Inputs, name: str) -> Iterable[Argument]:
    from compiler.resolve.arguments import imitation, rollouts

    stage = inputs.spec.stages[name]
    match stage.method:
        case "sft":
            return imitation.sft_arguments(inputs, name, stage)
        case "reward":
            return imitation.reward_arguments(inputs, name, stage)
        case "dpo":
            return imitation.dpo_arguments(inputs, name, stage)
        case "kto":
            return imitation.kto_arguments(inputs, name, stage)
        case "grpo":
            return rollouts.grpo_arguments(inputs, name, stage)
        case "rloo":
            return rollouts.rloo_arguments(inputs, name, stage)


def lora_plan(inputs: Inputs, name: str) -> LoraPlan | None:
    """The arguments of a stage's `LoraConfig`, or None where all weights are trained."""
    adapter = adapter_of(inputs.spec, name)
    if adapter is None:
        return None
    path = adapter_path(inputs.spec, name)
    arguments = [
        keyed("r", adapter.r, (*path, "r")),
        keyed("lora_alpha", adapter.alpha, (*path, "alpha")),
        keyed("lora_dropout", adapter.dropout, (*path, "dropout")),
        keyed("target_modules", adapter.target_modules, (*path, "target_modules")),
    ]
    if adapter.use_rslora:
        arguments.append(keyed("use_rslora", value=True, path=(*path, "use_rslora")))
    if adapter.kind == "dora":
        arguments.append(keyed("use_dora", value=True, path=(*path, "kind")))
    classifies = inputs.spec.stages[name].method == "reward"
    arguments.append(chosen("task_type", "SEQ_CLS" if classifies else "CAUSAL_LM"))
    return LoraPlan(adapter.r, tuple(arguments))
