"""How a stage uses the machine: all that the tier decides, and nothing of the recipe."""

from typing import Literal, NamedTuple

__all__ = ["Batch", "Engine", "Fault", "Mechanics", "Precision", "RolloutMechanics", "Sharding"]

Precision = Literal["float32", "float16", "bfloat16"]
Sharding = Literal["none", "zero2", "zero3", "fsdp2"]
Engine = Literal["transformers", "vllm-colocate", "vllm-server"]


class Batch(NamedTuple):
    """One optimizer step over all processes that train, in what its method counts.

    That is rows, pairs of answers, or completions. A process has one GPU, or the CPU.
    """

    per_device: int
    accumulation: int
    processes: int = 1

    @property
    def size(self) -> int:
        """Rows, pairs or completions in one optimizer step."""
        return self.per_device * self.accumulation * self.processes


class RolloutMechanics(NamedTuple):
    """What samples the completions of a stage.

    `share` is the part of a GPU's memory that vLLM takes, `sleeps` whether it gives that back
    while the stage trains, `max_model_tokens` the longest prompt with its completion that it makes
    room for. `tensor_parallel` GPUs hold one copy of the model. `gpus` are those of a server, which
    do not train. All are 0 or False where transformers samples.
    """

    engine: Engine
    share: float = 0.0
    sleeps: bool = False
    max_model_tokens: int = 0
    tensor_parallel: int = 0
    gpus: int = 0


class Fault(NamedTuple):
    """Why a stage cannot use the machine: a finding without its place.

    It is told at the first of `paths` that the spec writes.
    """

    code: str
    paths: tuple[tuple[str | int, ...], ...]
    message: str
    hints: tuple[str, ...]


class Mechanics(NamedTuple):
    """How one stage uses the machine.

    `precision` is what it computes in. `sharding` is what the GPUs share out beside the rows of a
    step: `none` nothing. `optimizer` is transformers' name. `rollout` is None for a stage that
    samples nothing. `tuned` says which of these were turned down for it to fit, in that order, and
    why. With `faults` the stage cannot run, and the rest is as near as can be.
    """

    batch: Batch
    precision: Precision
    sharding: Sharding = "none"
    optimizer: str = "adamw_torch_fused"
    offloads_activations: bool = False
    rollout: RolloutMechanics | None = None
    tuned: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def vllm(self) -> RolloutMechanics | None:
        """What samples, where that is vLLM."""
        return (
            None if self.rollout is None or self.rollout.engine == "transformers" else self.rollout
        )
