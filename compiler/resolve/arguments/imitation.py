"""The recipe of a stage that learns from what others wrote: SFT, reward models, DPO, KTO."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import keyed
from compiler.resolve.arguments.losses import loss_arguments
from compiler.resolve.arguments.step import step_arguments
from compiler.resolve.inputs import Inputs

if TYPE_CHECKING:
    from spec_schema.stages.dpo import DpoStage
    from spec_schema.stages.kto import KtoStage
    from spec_schema.stages.reward import RewardStage
    from spec_schema.stages.sft import SftStage

__all__ = ["dpo_arguments", "kto_arguments", "reward_arguments", "sft_arguments"]


def sft_arguments(inputs: Inputs, name: str, stage: "SftStage") -> Iterable[Argument]:
    """The arguments of `SFTConfig`."""
    path = ("stages", name)
    yield from step_arguments(inputs, name, stage)
    yield keyed("max_length", stage.max_length, (*path, "max_length"))
    if stage.loss_type != "nll":
        yield keyed("loss_type", stage.loss_type, (*path, "loss_type"))
    if stage.packing:
        yield keyed("packing", value=True, path=(*path, "packing"))


def reward_arguments(inputs: Inputs, name: str, stage: "RewardStage") -> Iterable[Argument]:
    """The arguments of `RewardConfig`."""
    yield from step_arguments(inputs, name, stage)
    yield keyed(
        "max_length",
        stage.max_length,
        ("stages", name, "max_length"),
        comment="pairs with a longer answer are left out",
    )
    yield from loss_arguments(inputs, name, (), ("center_rewards_coefficient",))


def dpo_arguments(inputs: Inputs, name: str, stage: "DpoStage") -> Iterable[Argument]:
    """The arguments of `DPOConfig`."""
    path = ("stages", name)
    yield from step_arguments(inputs, name, stage)
    yield keyed("max_length", stage.max_length, (*path, "max_length"))
    # TRL takes one name as well, but the field is typed as a list.
    losses = [stage.loss_type] if isinstance(stage.loss_type, str) else stage.loss_type
    yield keyed("loss_type", losses, (*path, "loss_type"))
    keys = ("loss_weights", "beta", "label_smoothing")
    yield from loss_arguments(inputs, name, losses, keys, shown=("beta",))


def kto_arguments(inputs: Inputs, name: str, stage: "KtoStage") -> Iterable[Argument]:
    """The arguments of `KTOConfig`."""
    path = ("stages", name)
    yield from step_arguments(inputs, name, stage)
    yield keyed("max_length", stage.max_length, (*path, "max_length"))
    yield keyed("loss_type", stage.loss_type, (*path, "loss_type"))
    yield keyed("beta", stage.beta, (*path, "beta"))
    yield keyed("desirable_weight", stage.desirable_weight, (*path, "desirable_weight"))
    yield keyed("undesirable_weight", stage.undesirable_weight, (*path, "undesirable_weight"))
