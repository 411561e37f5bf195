"""Whether a project trains in several processes, one a GPU."""

from compiler.resolve.gpus import training_gpus
from compiler.resolve.inputs import Inputs

__all__ = ["is_distributed"]


def is_distributed(inputs: Inputs) -> bool:
    """Whether several processes train the stages together."""
    return training_gpus(inputs.spec.hardware) > 1
