"""Device and precision: decided by the tier, never by the recipe."""

from collections.abc import Iterable

from compiler.memory import Device
from compiler.plan.mechanics import Mechanics, Precision
from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import tiered
from compiler.resolve.gpus import gpu_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.precision import precision_of
from compiler.resolve.starts import adapter_of, is_quantized, model_of
from compiler.resolve.tuning import EIGHT_BIT

__all__ = ["machine_arguments"]


def machine_arguments(inputs: Inputs, name: str, revision: str | None) -> Iterable[Argument]:
    """How the model is loaded and computed with; `revision` where it is a hub model's own."""
    device = gpu_of(inputs.spec.hardware)
    precision = precision_of(inputs, model_of(inputs, name))
    adapter = adapter_of(inputs.spec, name)
    kwargs = {"dtype": precision if adapter else "float32"}
    if inputs.spec.model.attention is not None:
        kwargs["attn_implementation"] = inputs.spec.model.attention
    if revision is not None:
        kwargs["revision"] = revision
    if device is None:
        yield tiered("model_init_kwargs", kwargs)
        yield tiered("use_cpu", value=True)
        yield tiered("bf16", value=False, comment="TRL turns it on by default, on a CPU as well")
        yield tiered(inputs.stack.checkpointing, value=False)
        return
    frozen = "the frozen base; the adapter is trained in float32"
    if is_quantized(adapter):
        trained = ", and of the adapter" if precision == "bfloat16" else ""
        frozen = f"of what is not quantized{trained}"
    yield tiered("model_init_kwargs", kwargs, comment=frozen if adapter else _master(precision))
    yield _mixed(device, precision)
    yield tiered(inputs.stack.checkpointing, value=True, comment="recomputed, to save memory")
    yield from _turned_down(mechanics_of(inputs, name))


def _turned_down(mechanics: Mechanics) -> Iterable[Argument]:
    """What saves memory and costs time, where a stage would not fit without it."""
    if mechanics.offloads_activations:
        comment = "what is kept waits on the host for the backward pass"
        yield tiered("activation_offloading", value=True, comment=comment)
    if mechanics.optimizer == EIGHT_BIT:
        comment = "states of 8 bits, moved to the host where memory runs short"
        yield tiered("optim", EIGHT_BIT, comment=comment)


def _master(precision: Precision) -> str:
    flag = {"bfloat16": "bf16", "float16": "fp16"}.get(precision)
    computed = "" if flag is None else f"; {flag}=True computes in {precision}"
    return f"weights and optimizer states{computed}"


def _mixed(device: Device, precision: Precision) -> Argument:
    """The precision that is mixed in; bf16 is TRL's default where neither is said."""
    if precision == "bfloat16":
        return tiered("bf16", value=True)
    if precision == "float16":
        return tiered("fp16", value=True, comment="this GPU has no bfloat16")
    why = "float32: this GPU has no bfloat16, and the model leaves the range of float16"
    if device.precision == "float32":
        why = "float32, which every chip and macOS computes"
    return tiered("bf16", value=False, comment=why)
