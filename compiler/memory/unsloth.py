"""What Unsloth changes of a stage's memory."""

from compiler.memory.architecture import Architecture
from compiler.memory.job import Job
from compiler.memory.persistent import whole_weights

__all__ = ["unsloth_weights", "with_unsloth"]


def with_unsloth(job: Job, *, from_hub: bool) -> Job:
    """The same stage, trained by Unsloth: its kernels save less, and checkpoints lie on the host.

    A model of the hub is loaded from Unsloth's own repository where it is to be in 4 bit;
    another, such as the result of a stage, is quantized while it is loaded. Weights that vLLM
    samples from are those that are trained, and count once. Adapters are float32 beside 4 bit too.
    """
    dynamic = from_hub and job.weights == "nf4-double"
    return job._replace(
        unsloth=True,
        adapter=None if job.adapter is None else job.adapter._replace(bytes=4),
        weights="nf4-dynamic" if dynamic else job.weights,
    )


def unsloth_weights(shape: Architecture, *, quantized: bool, from_hub: bool) -> float:
    """Bytes of the weights beside an adapter, as Unsloth loads them."""
    job = Job(1, 1, 1, weights="nf4-double" if quantized else "16-bit")
    return whole_weights(shape, with_unsloth(job, from_hub=from_hub))
