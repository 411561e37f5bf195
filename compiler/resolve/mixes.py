"""The mix of rewards of each stage."""

from compiler.literals import literal, text_literal
from compiler.plan.stages import MixPlan
from compiler.resolve.inputs import Inputs
from spec_schema.stages import GrpoStage

__all__ = ["mix_of"]


def mix_of(inputs: Inputs, stage: str) -> MixPlan | None:
    """The rewards that a stage calls with their weights; None for a stage that is not paid."""
    spec = inputs.spec
    planned = spec.stages[stage]
    if not isinstance(planned, GrpoStage):
        return None
    match planned.rewards:
        case None:
            weights = {name: reward.weight for name, reward in spec.rewards.items()}
        case list() as names:
            weights = {name: spec.rewards[name].weight for name in names}
        case dict() as mix:
            weights = mix
    entries = "".join(f"{name}: {literal(float(weight))}, " for name, weight in weights.items())
    return MixPlan(stage, tuple(weights.items()), f"{text_literal(stage)}: {{{entries}}}")
