"""The version set of a project: by its backend, and by what samples its completions."""

from pathlib import Path

from compiler.plan.mechanics import Engine
from compiler.resolve.inputs import Inputs, read_inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.starts import adapter_of, has_adapters, is_quantized
from compiler.stack import load_stack
from compiler.stack_choice import variant_of
from spec_schema import TaskSpec
from spec_schema.stages.rollout import RolloutStage

__all__ = ["gather", "packages_of_machine", "packages_of_project"]


def gather(spec: TaskSpec, folder: Path) -> Inputs:
    """Read what resolving looks at, with the version set that the engines of the stages need."""
    inputs = read_inputs(spec, folder)
    variant = variant_of(spec.hardware.backend, _engines(inputs))
    return inputs._replace(stack=load_stack(inputs.stack.name, variant))


def packages_of_project(inputs: Inputs) -> tuple[str, ...]:
    """The packages of the stack that the project imports, whatever it trains on."""
    peft = ["peft"] if has_adapters(inputs.spec) else []
    return ("trl", "transformers", "datasets", "torch", *peft)


def packages_of_machine(inputs: Inputs) -> tuple[str, ...]:
    """The packages of the stack that the project needs on its GPUs alone."""
    spec = inputs.spec
    mechanics = [mechanics_of(inputs, name) for name in spec.stages]
    quantized = any(is_quantized(adapter_of(spec, name)) for name in spec.stages)
    needed = {
        "unsloth": spec.hardware.backend == "unsloth",
        "unsloth-zoo": spec.hardware.backend == "unsloth",
        "vllm": any(engine.startswith("vllm") for engine in _engines(inputs)),
        "deepspeed": any(each.sharding in ("zero2", "zero3") for each in mechanics),
        "bitsandbytes": quantized or any(each.optimizer.endswith("8bit") for each in mechanics),
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


def _engines(inputs: Inputs) -> set[Engine]:
    samples = [n for n, stage in inputs.spec.stages.items() if isinstance(stage, RolloutStage)]
    rollouts = (mechanics_of(inputs, name).rollout for name in samples)
    return {rollout.engine for rollout in rollouts if rollout is not None}
