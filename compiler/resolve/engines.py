"""How vLLM samples for a stage: beside the trainer in its share of the memory, or on GPUs apart."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from compiler.memory import (
    GIB,
    Architecture,
    Device,
    device_of,
    engine_bytes,
    unsloth_weights,
)
from compiler.plan.mechanics import Batch, RolloutMechanics
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import (
    adapter_of,
    is_quantized,
    model_of,
    starts_from_hub,
    uses_unsloth,
)
from compiler.resolve.steps import whole_step
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.launch import Rollout

__all__ = ["colocated", "least_lent", "least_share", "longest", "server"]

# Beside a trainer that wants the rest, and on a GPU of its own: vLLM's own default is 0.92, and
# its context lies outside of what it counts.
LARGEST_SHARE, SERVER_SHARE = 0.5, 0.9
SMALLEST_SHARE = 0.15
# Unsloth's notebooks leave at least this much to what trains.
MOST_LENT = 0.9
# TRL's default, for a model of which nothing is known.
UNKNOWN_SHARE = 0.3


def colocated(inputs: Inputs, name: str, batch: Batch) -> Iterator[RolloutMechanics]:
    """VLLM in the processes that train, what it takes turned down from one to the next.

    At first it keeps its memory, then gives it back while the stage trains, then has room for one
    completion at a time. Nothing where no share suffices. The rule for the share: weights and the
    completions of a rollout, at most half of the GPU unless the weights need more.
    """
    asked, shape = _asked(inputs), inputs.architectures.get(model_of(inputs, name))
    device = device_of(inputs.spec.hardware.tier)
    tokens = longest(inputs, name)
    if shape is not None and device is not None and uses_unsloth(inputs.spec):
        yield _lent(inputs, name, batch, shape, device)
        return
    if shape is None or device is None:
        parallel, share = asked.tensor_parallel or 1, asked.share or UNKNOWN_SHARE
        yield RolloutMechanics(
            "vllm-colocate", share, sleeps=True, max_model_tokens=tokens, tensor_parallel=parallel
        )
        return
    parallel = asked.tensor_parallel or _parallel_beside(inputs, name, shape, device, batch)
    least = least_share(shape, tokens, parallel, device)
    if asked.share is not None:
        shares = [asked.share]
    else:
        rows = batch.per_device * batch.accumulation * _updates(inputs, name)
        wanted = _share(engine_bytes(shape, rows * parallel * tokens, parallel), device)
        usual = max(min(max(wanted, SMALLEST_SHARE), LARGEST_SHARE), least)
        shares = sorted({usual, least}, reverse=True)
    if shares[0] >= 1:
        return
    awake = RolloutMechanics(
        "vllm-colocate", shares[0], max_model_tokens=tokens, tensor_parallel=parallel
    )
    yield awake
    for share in shares:
        yield awake._replace(share=share, sleeps=True)


def _lent(
    inputs: Inputs, name: str, batch: Batch, shape: Architecture, device: Device
) -> RolloutMechanics:
    """Unsloth's vLLM, which samples from the weights that are trained, in as many bits.

    It gives the memory of its cache back while the stage trains. The rule for the share is that of
    any other.
    """
    tokens, rows = longest(inputs, name), batch.per_device * batch.accumulation
    weights, least = _weights_of(inputs, name, shape), least_lent(inputs, name, shape, device)
    wanted = engine_bytes(shape, rows * _updates(inputs, name) * tokens, 1, weights)
    usual = max(min(max(_share(wanted, device), SMALLEST_SHARE), LARGEST_SHARE), least)
    share = _asked(inputs).share or min(usual, MOST_LENT)
    return RolloutMechanics(
        "vllm-colocate", share, sleeps=True, max_model_tokens=tokens, tensor_parallel=1
    )


def least_lent(inputs: Inputs, name: str, shape: Architecture, device: Device) -> float:
    """The share with which Unsloth's vLLM starts."""
    weights = _weights_of(inputs, name, shape)
    return _share(engine_bytes(shape, longest(inputs, name), 1, weights), device)


def _weights_of(inputs: Inputs, name: str, shape: Architecture) -> float:
    quantized = is_quantized(adapter_of(inputs.spec, name))
    return unsloth_weights(shape, quantized=quantized, from_hub=starts_from_hub(inputs, name))


def server(inputs: Inputs, name: str) -> RolloutMechanics:
    """VLLM on GPUs of its own, which hold one copy of the model together.

    As few as hold it and leave as many as can share the step; on several machines one of these, for
    the others have equally many processes.
    """
    asked, hardware = _asked(inputs), inputs.spec.hardware
    shape = inputs.architectures.get(model_of(inputs, name))
    device = device_of(hardware.tier)
    share, tokens = asked.share or SERVER_SHARE, longest(inputs, name)
    gpus = asked.gpus or (hardware.gpus // hardware.nodes if hardware.nodes > 1 else None)
    parallel = asked.tensor_parallel or gpus
    if parallel is None and shape is not None and device is not None:
        whole = whole_step(inputs.spec.stages[name])
        sizes = _sizes(shape, hardware.gpus - 1)
        fits = [size for size in sizes if least_share(shape, tokens, size, device) <= share]
        fits = fits or sizes[-1:]
        even = [size for size in fits if whole % (hardware.gpus - size) == 0]
        parallel = (even or fits)[0]
    parallel = parallel or 1
    return RolloutMechanics(
        "vllm-server",
        share,
        max_model_tokens=tokens,
        tensor_parallel=parallel,
        gpus=gpus or parallel,
    )


def longest(inputs: Inputs, name: str) -> int:
    """Tokens of the longest prompt with its completion."""
    stage = inputs.spec.stages[name]
    assert isinstance(stage, RolloutStage)  # noqa: S101 - no other stage samples
    written = _asked(inputs).max_model_tokens
    return written or inputs.spec.data.max_prompt_tokens + stage.max_completion_length


def least_share(shape: Architecture, tokens: int, parallel: int, device: Device) -> float:
    """The share with which vLLM starts: weights, and the cache of one completion."""
    return _share(engine_bytes(shape, tokens, parallel), device)


def _share(size: float, device: Device) -> float:
    """The part of a GPU, in hundredths that are enough."""
    return math.ceil(100 * size / device.usable / GIB) / 100


def _parallel_beside(
    inputs: Inputs, name: str, shape: Architecture, device: Device, batch: Batch
) -> int:
    """As few GPUs as hold one copy within half of each; one with an adapter (trl#3671)."""
    hardware = inputs.spec.hardware
    if adapter_of(inputs.spec, name) is not None:
        return 1
    tokens = longest(inputs, name)
    sizes = [
        size
        for size in _sizes(shape, hardware.gpus // hardware.nodes)
        if batch.processes % size == 0
    ]
    fits = (size for size in sizes if least_share(shape, tokens, size, device) <= LARGEST_SHARE)
    return next(fits, sizes[-1])


def _sizes(shape: Architecture, gpus: int) -> list[int]:
    """The powers of two that divide the heads, as far as there are GPUs."""
    powers = (2**power for power in range(max(gpus, 1).bit_length()))
    return [size for size in powers if size <= max(gpus, 1) and shape.heads % size == 0]


def _updates(inputs: Inputs, name: str) -> int:
    stage = inputs.spec.stages[name]
    return stage.updates_per_rollout if isinstance(stage, RolloutStage) else 1


class _Asked(NamedTuple):
    """What a spec without a `rollout` asks for."""

    gpus: int | None = None
    tensor_parallel: int | None = None
    share: float | None = None
    max_model_tokens: int | None = None


def _asked(inputs: Inputs) -> "Rollout | _Asked":
    return inputs.spec.hardware.rollout or _Asked()
