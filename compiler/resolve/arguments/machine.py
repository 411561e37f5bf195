"""Device and precision: decided by the tier, never by the recipe."""

from collections.abc import Iterable

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import tiered
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import adapter_of, is_quantized

__all__ = ["machine_arguments"]


def machine_arguments(inputs: Inputs, name: str, revision: str | None) -> Iterable[Argument]:
    """How the model is loaded and computed with; `revision` where it is a hub model's own."""
    cpu = inputs.spec.hardware.tier == "cpu"
    adapter = adapter_of(inputs.spec, name)
    kwargs = {"dtype": "bfloat16" if adapter and not cpu else "float32"}
    if revision is not None:
        kwargs["revision"] = revision
    if cpu:
        yield tiered("model_init_kwargs", kwargs)
        yield tiered("use_cpu", value=True)
        yield tiered("bf16", value=False, comment="TRL turns it on by default, on a CPU as well")
        yield tiered(inputs.stack.checkpointing, value=False)
        return
    frozen = "the frozen base; the adapter is trained in float32"
    if is_quantized(adapter):
        frozen = "of what is not quantized, and of the adapter"
    master = "weights and optimizer states; bf16=True computes in bfloat16"
    yield tiered("model_init_kwargs", kwargs, comment=frozen if adapter else master)
    yield tiered("bf16", value=True)
    yield tiered(inputs.stack.checkpointing, value=True, comment="recomputed, to save memory")
