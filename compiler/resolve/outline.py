"""The resolved stages, which the rules look at, and the paths in the project's folder."""

from compiler.plan.outline import Outline
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import with_mechanics
from compiler.resolve.paths import named_files, written_files
from compiler.resolve.stages import plan_stage
from compiler.resolve.version_set import with_version_set

__all__ = ["outline_of"]


def outline_of(inputs: Inputs) -> Outline:
    """Decide the stages of a spec that the rules have let pass."""
    inputs = with_version_set(with_mechanics(inputs))
    return Outline(
        stack=inputs.stack.name,
        variant=inputs.stack.variant,
        stages=tuple(plan_stage(inputs, name) for name in inputs.stage_names),
        named_files=named_files(inputs),
        written_files=written_files(inputs),
    )
