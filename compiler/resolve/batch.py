"""How one optimizer step is laid out on the machine; the recipe's sizes are never changed."""

from collections.abc import Iterator

from compiler.plan.mechanics import Batch
from compiler.resolve.gpus import gpu_of, training_gpus
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from compiler.resolve.steps import LEAST_ROWS, is_undivided, whole_step

__all__ = ["layouts"]

# Sequences in one forward pass, by memory class; a pair is two. Accumulation makes up for the
# rest, so that the recipe is the same on every tier.
SEQUENCES = {
    "cpu": 64,
    "8gb": 1,
    "12gb": 1,
    "16gb": 2,
    "24gb": 4,
    "32gb": 4,
    "40gb": 8,
    "48gb": 8,
    "80gb": 16,
    "96gb": 16,
    "141gb": 32,
    "192gb": 32,
}


def layouts(inputs: Inputs, name: str) -> Iterator[Batch]:
    """All layouts of a step within the tier's limit, the largest micro-batch first.

    A step that the GPUs cannot share evenly is rounded up; `uneven` is what refuses it.
    """
    stage = inputs.spec.stages[name]
    processes = training_gpus(inputs, name)
    own = -(-whole_step(stage) // processes)
    if is_undivided(stage):
        yield Batch(own, 1, processes)
        return
    device = gpu_of(inputs.spec.hardware)
    sequences = SEQUENCES["cpu" if device is None else device.memory_class]
    least = LEAST_ROWS.get(stage.method, 1)
    limit = min(max(sequences // METHODS[stage.method].sequences, least), own)
    sizes = [size for size in range(limit, least - 1, -1) if own % size == 0]
    for size in sizes or [own]:
        yield Batch(size, own // size, processes)
