"""Whether a project trains in several processes, one a GPU."""

from compiler.resolve.gpus import training_gpus
from compiler.resolve.inputs import Inputs

__all__ = ["is_distributed"]


def is_distributed(inputs: Inputs) -> bool:
    """Whether several processes train any stage together."""
    if inputs.spec.hardware.gpus == 1:
        return False
    return any(training_gpus(inputs, name) > 1 for name in inputs.spec.stages)
