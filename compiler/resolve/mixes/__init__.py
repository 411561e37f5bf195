"""The mix of rewards of each stage."""

from compiler.literals import text_literal
from compiler.plan.stages import MixPlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes.limits import buffer_of, function_of, functions_of, gates_of, limits_of
from compiler.resolve.mixes.prospects import earned_by_ideal, prospects_of
from compiler.resolve.mixes.totals import is_constant, lone_length, totals_of
from compiler.resolve.mixes.weights import moves, schedules_of, some_move, weights_of
from spec_schema.stages.rollout import RolloutStage

__all__ = [
    "buffer_of",
    "earned_by_ideal",
    "function_of",
    "functions_of",
    "gates_of",
    "limits_of",
    "mix_of",
    "moves",
    "prospects_of",
    "schedules_of",
    "some_move",
    "weight_type",
    "weights_of",
]


def mix_of(inputs: Inputs, stage: str) -> MixPlan | None:
    """The rewards that a stage calls with their weights; None for a stage that is not paid."""
    spec = inputs.spec
    planned = spec.stages[stage]
    if not isinstance(planned, RolloutStage):
        return None
    weights, prospects = weights_of(spec, planned), prospects_of(spec)
    entries = "".join(
        f"{function_of(spec, stage, name)}: {weight.code}, " for name, weight in weights.items()
    )
    return MixPlan(
        stage=stage,
        weights=tuple(weights.items()),
        code=f"{text_literal(stage)}: {{{entries}}}",
        totals=totals_of(planned, weights, prospects),
        lone_length=lone_length(spec, weights),
        constant=is_constant(weights, prospects),
    )


def weight_type(mixes: tuple[MixPlan, ...]) -> str:
    """The type of a weight in `MIXES`: a number, and the schedules that there are."""
    return " | ".join(("float", *schedules_of(mixes)))
