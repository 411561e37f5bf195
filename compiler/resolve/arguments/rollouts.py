"""The recipe of a stage that is paid for what it samples: GRPO and RLOO."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import chosen, computed, keyed
from compiler.resolve.arguments.losses import loss_arguments
from compiler.resolve.arguments.step import step_arguments
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.mixes import moves, some_move
from spec_schema.stages.rollout import RolloutStage

if TYPE_CHECKING:
    from spec_schema.stages.grpo import GrpoStage
    from spec_schema.stages.rloo import RlooStage

__all__ = ["grpo_arguments", "rloo_arguments"]

LOSS_SETTINGS = ("importance_sampling_level", "epsilon", "epsilon_high", "delta", "scale_rewards")


def grpo_arguments(inputs: Inputs, name: str, stage: "GrpoStage") -> Iterable[Argument]:
    """The arguments of `GRPOConfig`."""
    yield from step_arguments(inputs, name, stage)
    yield from _sampling(inputs, name, stage)
    yield keyed("loss_type", stage.loss_type, ("stages", name, "loss_type"))
    losses = (stage.loss_type,)
    yield from loss_arguments(inputs, name, losses, LOSS_SETTINGS, shown=("scale_rewards",))
    yield from _masking(name, stage)
    yield _beta(name, stage, "no reference model is loaded, and no KL is logged")
    yield _reward_weights(inputs, stage)


def rloo_arguments(inputs: Inputs, name: str, stage: "RlooStage") -> Iterable[Argument]:
    """The arguments of `RLOOConfig`."""
    yield from step_arguments(inputs, name, stage)
    yield from _sampling(inputs, name, stage)
    yield from loss_arguments(inputs, name, (), ("epsilon", "epsilon_high"))
    yield from _masking(name, stage)
    yield _beta(name, stage, "no reference model is loaded, and no KL is logged")
    yield _reward_weights(inputs, stage)


def _sampling(inputs: Inputs, name: str, stage: "GrpoStage | RlooStage") -> Iterable[Argument]:
    updates = stage.updates_per_rollout
    if updates > 1:
        batch = mechanics_of(inputs, name).batch
        yield keyed(
            "steps_per_generation",
            batch.accumulation * updates,
            ("stages", name, "updates_per_rollout"),
            comment=f"{updates} updates from each rollout of {batch.size * updates} completions",
        )
    yield chosen("shuffle_dataset", value=False, comment="in_epochs has shuffled the rows")
    for key in ("num_generations", "max_completion_length", "temperature"):
        yield keyed(key, getattr(stage, key), ("stages", name, key))
    if mechanics_of(inputs, name).vllm is not None:
        from compiler.resolve.arguments.engine import engine_arguments

        yield from engine_arguments(inputs, name, stage)


def _masking(name: str, stage: RolloutStage) -> Iterable[Argument]:
    key = "mask_truncated_completions"
    if stage.mask_truncated_completions:
        yield keyed(key, value=True, path=("stages", name, key))


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
