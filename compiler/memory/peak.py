"""The peak of a stage: the largest of its moments, and whether it fits a device."""

import functools
from typing import Literal, NamedTuple

from compiler.memory.activations import (
    cache,
    casts,
    checkpoints,
    dequantized,
    recomputed,
    saved,
    scoring,
    vocabulary,
)
from compiler.memory.architecture import Architecture
from compiler.memory.devices import GIB, Device
from compiler.memory.job import Job
from compiler.memory.persistent import (
    gathered,
    gradients,
    lasting,
    step_temporaries,
    whole_weights,
)

__all__ = ["Estimate", "Fit", "Moment", "estimate"]

Moment = Literal["forward pass", "backward pass", "optimizer step", "generation"]
Fit = Literal["fits", "tight", "does not fit"]

# No published measurement is under 0.9 of its prediction, and nine in ten are under 1.15 of it. The
# allocator holds 1.08 times what is allocated when memory runs short; the CUDA context and the
# workspaces of cuBLAS take the rest (fms-acceleration, some hundred rows).
LEAST, MOST = 0.9, 1.15
HELD, CONTEXT = 1.08, 0.9 * GIB
# NCCL's buffers, where GPUs train together: the middle of the 0.3 to 1 GiB that are told of.
NCCL = 0.6 * GIB
# Where the architecture is taken from a name, both ends move away by this much more.
ASSUMED = 0.15


class Estimate(NamedTuple):
    """The allocated peak in bytes by part, largest in `moment`; parts of nothing are left out.

    `context` is what lies outside of what torch allocates.
    """

    moment: Moment
    parts: tuple[tuple[str, float], ...]
    assumed: bool
    context: float = CONTEXT

    @property
    def peak(self) -> float:
        """Bytes that are allocated at once."""
        return sum(size for _, size in self.parts)

    @property
    def reserved(self) -> float:
        """Bytes of it that vLLM takes at its start, exactly as many as it is told."""
        return dict(self.parts).get("vLLM", 0.0)

    @property
    def least(self) -> float:
        """Bytes that a run surely needs."""
        return self.peak * (LEAST - (ASSUMED if self.assumed else 0))

    @property
    def held(self) -> float:
        """Bytes of the device that are taken if the peak is as predicted."""
        return self.peak + (HELD - 1) * (self.peak - self.reserved) + self.context

    @property
    def most(self) -> float:
        """Bytes of the device with which a run goes through even where the peak is higher."""
        wide = MOST + (ASSUMED if self.assumed else 0)
        return max(self.peak + (wide - 1) * (self.peak - self.reserved), self.held)

    def fit(self, device: Device) -> Fit:
        """Judge the range against what a program finds on the device."""
        if self.least > device.bytes:
            return "does not fit"
        return "fits" if self.most <= device.bytes else "tight"


@functools.lru_cache(maxsize=1024)
def estimate(shape: Architecture, job: Job) -> Estimate:
    """Predict the peak of a stage on one GPU, with the optimizer's states there.

    They are made at the first step, so that a first step needs less than the second (TRL#2972).
    """
    if job.unsloth and job.engine:  # the weights in it are those that are trained
        job = job._replace(engine=max(job.engine - whole_weights(shape, job), 0.0))
    stays = lasting(shape, job)
    if job.engine and not job.engine_sleeps:
        stays["vLLM"] = job.engine
    moments: dict[Moment, dict[str, float]] = {
        "forward pass": _forward(shape, job),
        "backward pass": _backward(shape, job),
        "optimizer step": {
            "gradients": gradients(shape, job),
            "optimizer": stays["optimizer"] + step_temporaries(shape, job),
        },
    }
    if job.generated or job.engine:
        moments["generation"] = _generation(shape, job)
    wholes: list[tuple[Moment, dict[str, float]]] = [
        (moment, stays | parts) for moment, parts in moments.items()
    ]
    moment, parts = max(wholes, key=lambda each: sum(each[1].values()))
    held = tuple((name, size) for name, size in parts.items() if size)
    context = CONTEXT + (NCCL if job.gpus > 1 else 0)
    return Estimate(moment, held, assumed=bool(shape.assumed), context=context)


def _forward(shape: Architecture, job: Job) -> dict[str, float]:
    """At the loss: what all blocks have left behind, and the vocabulary projection."""
    copies = shape.layers if job.adapter is None or not job.checkpointing else 1
    work = casts(shape, job, copies) + dequantized(shape, job) + gathered(shape, job)
    return {
        "gradients": gradients(shape, job) if job.accumulates else 0.0,
        "activations": _left_behind(shape, job),
        "vocabulary": vocabulary(shape, job),
        "reference pass": scoring(shape, job) if job.scores_reference else 0.0,
        "weights in work": work,
    }


def _backward(shape: Architecture, job: Job) -> dict[str, float]:
    """In the blocks: without checkpointing gradients come as saved tensors go."""
    held = gradients(shape, job)
    left = _left_behind(shape, job)
    work = dequantized(shape, job) + gathered(shape, job)
    if job.checkpointing:
        return {
            "gradients": held,
            "activations": left,
            "recomputed layer": recomputed(shape, job),
            "weights in work": work,
        }
    work += casts(shape, job, shape.layers)
    if job.accumulates:
        return {"gradients": held, "activations": left, "weights in work": work}
    return {"activations": max(left, held), "weights in work": work}


def _left_behind(shape: Architecture, job: Job) -> float:
    """What a forward pass leaves for the backward pass, of all blocks."""
    if job.checkpointing:
        return checkpoints(shape, job)
    per_token = shape.layers * saved(shape, job) + 42 * shape.hidden
    return per_token * job.batch_tokens


def _generation(shape: Architecture, job: Job) -> dict[str, float]:
    """While completions are sampled no gradients are there.

    An engine has weights of its own; an adapter is merged for it, under ZeRO-3 with all weights
    gathered at once (ms-swift#7986), as they are for transformers to sample with
    (trl/models/utils.py:147).
    """
    if not job.engine:
        copies = casts(shape, job, shape.layers if job.adapter is None else 1)
        work = copies + dequantized(shape, job) + gathered(shape, job)
        if job.gathers:
            work += whole_weights(shape, job)
        return cache(shape, job) | {"weights in work": work}
    merges = job.gathers and job.adapter is not None
    work = whole_weights(shape, job) if merges else gathered(shape, job)
    return {"vLLM": job.engine, "weights in work": work}
