"""The callbacks that a training script adds to its trainer: its gate, and what ends it early."""

from compiler.literals import literal, text_literal
from compiler.plan.stages import StageCallbacks
from compiler.resolve.mixes import function_of
from compiler.resolve.stage_endings import stopped
from spec_schema import TaskSpec
from spec_schema.stages.rollout import RolloutStage

__all__ = ["stage_callbacks"]


def stage_callbacks(spec: TaskSpec, name: str) -> StageCallbacks:
    """What a stage asks for beside training."""
    stage = spec.stages[name]
    codes: list[str] = []
    imports: list[str] = []
    if not isinstance(stage, RolloutStage):
        return StageCallbacks((), ())

    def logged_name(reward: str) -> str:
        return text_literal(function_of(spec, name, reward))

    if (gate := stage.gate) is not None:
        full = literal(float(spec.rewards[gate.reward].bounds()[1]))
        codes.append(
            f"Gate(trainer, MIXES[{text_literal(name)}], {logged_name(gate.reward)}, full={full}, "
            f"pass_at={gate.pass_at}, at_least={literal(gate.at_least)}, rows={gate.rows})"
        )
        imports.append("from gate import Gate")
    if (until := stage.until) is not None:
        codes.append(
            f"Until({logged_name(until.reward)}, at_least={literal(until.at_least)}, "
            f"window={until.window})"
        )
        imports.append("from stopping import Until")
    if (stop := stopped(spec, name)) is not None:
        codes.append(
            f"StopWhen({logged_name(stop.reward)}, below={literal(stop.below)}, after={stop.after})"
        )
        imports.append("from stopping import StopWhen")
    return StageCallbacks(tuple(codes), tuple(imports))
