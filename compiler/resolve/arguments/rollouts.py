"""The recipe of a stage that is paid for what it samples: GRPO and RLOO."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import computed, defaulted, keyed
from compiler.resolve.arguments.step import step_arguments
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import moves, some_move
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.stages.grpo import GrpoStage
    from spec_schema.stages.rloo import RlooStage

__all__ = ["grpo_arguments", "rloo_arguments"]


def grpo_arguments(inputs: Inputs, name: str, stage: "GrpoStage") -> Iterable[Argument]:
    """The arguments of `GRPOConfig`."""
    yield from step_arguments(inputs, name, stage)
    yield from _sampling(name, stage)
    yield keyed("loss_type", stage.loss_type, ("stages", name, "loss_type"))
    yield _scale_rewards(name, stage)
    yield _beta(name, stage, "no reference model is loaded, and no KL is logged")
    yield _reward_weights(inputs, stage)


def rloo_arguments(inputs: Inputs, name: str, stage: "RlooStage") -> Iterable[Argument]:
    """The arguments of `RLOOConfig`."""
    yield from step_arguments(inputs, name, stage)
    yield from _sampling(name, stage)
    yield _beta(name, stage, "no reference model is loaded, and no KL is logged")
    yield _reward_weights(inputs, stage)


def _sampling(name: str, stage: RolloutStage) -> Iterable[Argument]:
    for key in ("num_generations", "max_completion_length", "temperature"):
        yield keyed(key, getattr(stage, key), ("stages", name, key))


def _beta(name: str, stage: RolloutStage, without: str) -> Argument:
    return keyed(
        "beta", stage.beta, ("stages", name, "beta"), comment="" if stage.beta else without
    )


def _reward_weights(inputs: Inputs, stage: RolloutStage) -> Argument:
    """The numbers of the mix; where those of any stage move, all are typed as schedules too."""
    spec = inputs.spec
    code = "weights_at(mix, step=0, log=[])" if some_move(spec) else "list(mix.values())"
    comment = "moved while training" if moves(spec, stage) else ""
    return computed("reward_weights", code, comment=comment)


def _scale_rewards(name: str, stage: "GrpoStage") -> Argument:
    if stage.scale_rewards is not None:
        return keyed("scale_rewards", stage.scale_rewards, ("stages", name, "scale_rewards"))
    if stage.loss_type == "dr_grpo":
        reason = "Dr. GRPO does not divide by the group's spread (arXiv 2503.20783)"
        return defaulted("scale_rewards", "none", reason, comment=reason)
    return defaulted("scale_rewards", "group", "TRL's default")
