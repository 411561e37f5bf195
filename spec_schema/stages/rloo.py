"""Stages that hold a completion against the mean of the others of its group: RLOO."""

from typing import Literal

from pydantic import Field

from spec_schema.stages.rollout import RolloutStage

__all__ = ["RlooStage"]


class RlooStage(RolloutStage):
    """Reinforcement learning with leave-one-out advantages on the mix of rewards.

    The KL term is taken off the reward, and the whole completion is one action (arXiv 2402.14740).
    """

    method: Literal["rloo"] = Field(description="How the stage trains.")
    num_generations: int = Field(
        default=4, ge=2, description="Completions sampled for each prompt: the size of a group."
    )
    beta: float = Field(
        default=0.05,
        ge=0,
        allow_inf_nan=False,
        description="Weight of the KL term against the stage's start, taken off the reward; "
        "0: no reference model.",
    )
