"""What the tier decides for a stage, all of it together."""

from compiler.plan.mechanics import Mechanics, Precision, RolloutMechanics
from compiler.resolve.batch import solve_batch
from compiler.resolve.inputs import Inputs
from spec_schema.stages.rollout import RolloutStage

__all__ = ["mechanics_of"]


def mechanics_of(inputs: Inputs, name: str) -> Mechanics:
    """How a stage uses the machine; the recipe's sizes are never changed."""
    precision: Precision = "float32" if inputs.spec.hardware.tier == "cpu" else "bfloat16"
    samples = isinstance(inputs.spec.stages[name], RolloutStage)
    return Mechanics(
        batch=solve_batch(inputs, name),
        precision=precision,
        rollout=RolloutMechanics("transformers") if samples else None,
    )
