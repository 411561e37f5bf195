"""Stages that learn from single answers marked as good or bad."""

from typing import Literal

from pydantic import Field

from spec_schema.stage_table import StageTable

__all__ = ["KtoStage"]


class KtoStage(StageTable):
    """Kahneman-Tversky optimization on answers with a label each."""

    method: Literal["kto"] = Field(description="How the stage trains.")
    learning_rate: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Highest learning rate. Left out: 1e-6, with an adapter 1e-5.",
    )
    prompts_per_step: int = Field(
        default=64, ge=2, description="Rows in one optimizer step, over all GPUs."
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
    loss_type: Literal["kto", "apo_zero_unpaired"] = Field(
        default="kto", description="Form of the loss, named as in TRL's `KTOConfig`."
    )
    desirable_weight: float = Field(
        default=1.0, gt=0, allow_inf_nan=False, description="Weight of the good answers."
    )
    undesirable_weight: float = Field(
        default=1.0, gt=0, allow_inf_nan=False, description="Weight of the bad answers."
    )
