"""The version set of a project: by its backend, and by what samples its completions."""

from compiler.plan.mechanics import Engine
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import adapter_of, has_adapters, is_quantized
from compiler.stack import load_stack
from compiler.stack_choice import variant_of

__all__ = ["packages_of_machine", "packages_of_project", "with_version_set"]


def with_version_set(inputs: Inputs) -> Inputs:
    """The inputs, their mechanics decided, with the version set that the stages' engines need."""
    variant = variant_of(inputs.spec.hardware.backend, _engines(inputs))
    return inputs._replace(stack=load_stack(inputs.stack.name, variant))


def packages_of_project(inputs: Inputs) -> tuple[str, ...]:
    """The packages of the stack that the project imports, whatever it trains on."""
    peft = ["peft"] if has_adapters(inputs.spec) else []
    return ("trl", "transformers", "datasets", "torch", *peft)


def packages_of_machine(inputs: Inputs) -> tuple[str, ...]:
    """The packages of the stack that the project needs for its GPUs."""
    spec, mechanics = inputs.spec, inputs.mechanics.values()
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
    rollouts = (mechanics.rollout for mechanics in inputs.mechanics.values())
    return {rollout.engine for rollout in rollouts if rollout is not None}
