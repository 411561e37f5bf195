"""Stages that train a reward model."""

from typing import Literal

from pydantic import Field

from spec_schema.stage_table import StageTable

__all__ = ["RewardStage"]


class RewardStage(StageTable):
    """A reward model that learns which of two answers is preferred (Bradley-Terry).

    It is a side branch: the stages after it start from the last one that trained the policy.
    """

    method: Literal["reward"] = Field(description="How the stage trains.")
    learning_rate: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Highest learning rate. Left out: 1e-5, with an adapter 1e-4.",
    )
    prompts_per_step: int = Field(
        default=64, ge=1, description="Pairs in one optimizer step, over all GPUs."
    )
    max_length: int = Field(
        default=1024,
        ge=1,
        description="Longest prompt and answer together, in tokens; pairs with a longer one are "
        "left out.",
    )
    center_rewards_coefficient: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="How strongly the scores of a pair are drawn to a mean of 0; 0.01 in its "
        "paper (arXiv 2312.09244). Left out: not at all.",
    )
