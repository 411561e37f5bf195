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
    importance_sampling_level: Literal["token", "sequence"] | None = Field(
        default=None,
        description="What has an importance ratio: each token, or the whole completion (GSPO). "
        "Left out: `token`; with `luspo` `sequence`, as in its paper.",
    )
    epsilon_high: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="How far above 1 the ratio may count; with `cispo` the most it may be. Left "
        "out: as `epsilon`; with `cispo` 5, as in its paper.",
    )
    delta: float | None = Field(
        default=None,
        gt=1,
        allow_inf_nan=False,
        description="The most that the ratio of a bad completion may be: two-sided clipping. Left "
        "out: no limit.",
    )
    scale_rewards: Literal["group", "batch", "none"] | None = Field(
        default=None,
        description="What advantages are divided by: the spread of the group, of the batch, or "
        "nothing. Left out: `group`; with `dr_grpo` `none`, as in its paper.",
    )
