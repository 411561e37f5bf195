"""What the tier decides for a stage, all of it together."""

from compiler.plan.mechanics import Fault, Mechanics
from compiler.resolve.gpus import training_gpus
from compiler.resolve.inputs import Inputs
from compiler.resolve.tuning import tuned_mechanics

__all__ = ["decided", "mechanics_of", "with_mechanics"]


def mechanics_of(inputs: Inputs, name: str) -> Mechanics:
    """How a stage uses the machine, as it was decided."""
    return inputs.mechanics[name]


def with_mechanics(inputs: Inputs) -> Inputs:
    """The inputs with the mechanics of all stages, decided for their spec."""
    return inputs._replace(mechanics=decided(inputs))


def decided(inputs: Inputs) -> dict[str, Mechanics]:
    """Decide how each stage uses the machine; the recipe's sizes are never changed."""
    found = {name: tuned_mechanics(inputs, name) for name in inputs.stage_names}
    return {
        name: mechanics._replace(faults=_faults(inputs, name)) for name, mechanics in found.items()
    }


def _faults(inputs: Inputs, name: str) -> tuple[Fault, ...]:
    if training_gpus(inputs.spec.hardware) == 1:
        return ()
    from compiler.resolve.uneven import uneven  # most plans are for one GPU

    return tuple(uneven(inputs, name))
