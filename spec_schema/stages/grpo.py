"""Stages that compare the completions of a group: GRPO and the losses built on it."""

from typing import Literal

from pydantic import Field

from spec_schema.stages.rollout import RolloutStage

__all__ = ["GrpoStage", "LossType"]

LossType = Literal["grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "luspo", "vespo"]


class GrpoStage(RolloutStage):
    """Reinforcement learning with group-relative advantages on the mix of rewards."""

    method: Literal["grpo"] = Field(description="How the stage trains.")
    loss_type: LossType = Field(
        default="dapo", description="Form of the loss, named as in TRL's `GRPOConfig`."
    )
    scale_rewards: Literal["group", "batch", "none"] | None = Field(
        default=None,
        description="What advantages are divided by: the spread of the group, of the batch, or "
        "nothing. Left out: `group`; with `dr_grpo` `none`, as in its paper.",
    )
