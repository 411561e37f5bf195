"""Stages that learn from preferences without a reward model."""

from typing import Literal

from pydantic import Field

from spec_schema.stage_table import StageTable

__all__ = ["DpoStage"]


class DpoStage(StageTable):
    """Direct preference optimization on pairs of a chosen and a rejected answer."""

    method: Literal["dpo"] = Field(description="How the stage trains.")
    learning_rate: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Highest learning rate. Left out: 1e-6, with an adapter 1e-5.",
    )
    prompts_per_step: int = Field(
        default=64, ge=1, description="Pairs in one optimizer step, over all GPUs."
    )
    max_length: int = Field(
        default=1024,
        ge=1,
        description="Longest prompt and answer together, in tokens; what is longer is cut.",
    )
    beta: float = Field(
        default=0.1,
        gt=0,
        allow_inf_nan=False,
        description="How strongly the policy is held to the stage's start.",
    )
    loss_type: str | list[str] = Field(
        default="sigmoid",
        description="Form of the loss, named as in TRL's `DPOConfig`; a list is a sum of losses.",
    )
