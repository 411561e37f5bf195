"""What stays on the GPU between steps: weights, adapter, gradients, optimizer, reference."""

import functools

from compiler.memory.architecture import Architecture
from compiler.memory.job import OPTIMIZERS, Job

__all__ = [
    "gathered",
    "gradients",
    "lasting",
    "step_temporaries",
    "trained",
    "whole_weights",
]

BUCKET = 5e8

# Bytes of a weight in nf4 (bitsandbytes, blocks of 64): half a byte and a float32 for each block;
# with double quantization a byte for each block, and a float32 for 256 of those.
DOUBLE = 0.5 + 1 / 64 + 4 / (64 * 256)
# Unsloth's own repositories of 4 bit leave some layers in 16 bits: its notebooks find 1.15 to 1.25
# times as much on the GPU (Qwen3-14B, Phi-4).
QUANTIZED = {"nf4": 0.5 + 4 / 64, "nf4-double": DOUBLE, "nf4-dynamic": 1.2 * DOUBLE}


@functools.lru_cache(maxsize=64)
def _adapter_count(shape: Architecture, rank: int, targets: frozenset[str]) -> int:
    return shape.adapter(rank, targets)


def trained(shape: Architecture, job: Job) -> tuple[int, int]:
    """How many parameters are trained, and the bytes of one."""
    if job.adapter is None:
        return shape.parameters, job.dtype
    return _adapter_count(shape, job.adapter.rank, job.adapter.targets), job.adapter.bytes


def lasting(shape: Architecture, job: Job) -> dict[str, float]:
    """Bytes by part of what every moment of a stage holds, gradients apart."""
    count, size = trained(shape, job)
    return {
        "weights": whole_weights(shape, job) / _parts(job, 3),
        "adapter": float(count * size if job.adapter else 0),
        "optimizer": count * _states(job, size) / _parts(job, 1),
        "reference model": float(shape.parameters * job.dtype if job.reference else 0)
        / _parts(job, 3),
        "reward models": job.others,
        "communication": _communication(shape, job),
    }


def whole_weights(shape: Architecture, job: Job) -> float:
    """Bytes of all weights of the policy on one GPU."""
    linear = QUANTIZED.get(job.weights, job.dtype)
    other = 4 if job.wide_residual else job.dtype
    return shape.linear * linear + shape.other * other


def gradients(shape: Architecture, job: Job) -> float:
    """Bytes of the gradients, which have the dtype of their parameters."""
    count, size = trained(shape, job)
    return count * size / _parts(job, 2)


def step_temporaries(shape: Architecture, job: Job) -> float:
    """Bytes that the optimizer's step needs for a moment."""
    count, size = trained(shape, job)
    _, _, temporaries = OPTIMIZERS[job.optimizer]
    return count * size * temporaries / _parts(job, 1)


def gathered(shape: Architecture, job: Job) -> float:
    """Bytes of what sharded weights are gathered for: two blocks and the embedding."""
    if job.shards < 3:  # noqa: PLR2004 - ZeRO's level that shards weights
        return 0.0
    return float((2 * shape.layer + shape.embedding) * job.dtype)


def _communication(shape: Architecture, job: Job) -> float:
    """Bytes of the gradients on their way to the other GPUs.

    DistributedDataParallel copies all of them into buckets; DeepSpeed's ZeRO-2 has two buckets of
    `reduce_bucket_size` elements, which is 5e8 where nothing else is said.
    """
    if job.gpus == 1:
        return 0.0
    count, size = trained(shape, job)
    buckets = {0: count * size, 2: 2 * min(count, BUCKET) * size}
    return buckets.get(job.shards, 0.0)


def _states(job: Job, size: int) -> float:
    """Bytes of optimizer state for a parameter; DeepSpeed keeps a float32 copy of 16-bit ones."""
    if job.shards and size < 4:  # noqa: PLR2004 - bytes of a float32
        return 12.0
    for_each_byte, in_all, _ = OPTIMIZERS[job.optimizer]
    return for_each_byte * size + in_all


def _parts(job: Job, level: int) -> int:
    """Into how many parts ZeRO's `level` splits what it shards (arXiv 1910.02054)."""
    return job.gpus if job.shards >= level else 1
