"""Which stages have a gate, and which may end before their last step."""

from typing import TYPE_CHECKING

from compiler.resolve.mixes import weights_of
from spec_schema import TaskSpec
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.endings import Gate, StopWhen, Until

__all__ = ["gated", "stopped", "timed"]


def gated(spec: TaskSpec, name: str) -> "Gate | None":
    """What a stage's start must be able to do."""
    stage = spec.stages[name]
    return stage.gate if isinstance(stage, RolloutStage) else None


def timed(spec: TaskSpec, name: str) -> "Until | None":
    """What ends a stage early as a success."""
    stage = spec.stages[name]
    return stage.until if isinstance(stage, RolloutStage) else None


def stopped(spec: TaskSpec, name: str) -> "StopWhen | None":
    """What ends a stage early as a failure: it is watched where the stage calls that reward."""
    stage, stop = spec.stages[name], spec.run.stop_when
    if stop is None or not isinstance(stage, RolloutStage):
        return None
    return stop if stop.reward in weights_of(spec, stage) else None
