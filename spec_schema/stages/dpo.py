"""Stages that learn from preferences without a reward model."""

from typing import Literal

from pydantic import Field

from spec_schema.base import Weight
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
    loss_type: str | list[str] = Field(
        default="sigmoid",
        description="Form of the loss, named as in TRL's `DPOConfig`; a list is a sum of losses.",
    )
    loss_weights: list[Weight] | None = Field(
        default=None, description="The weight of each loss of a list. Left out: 1 each."
    )
    beta: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="How strongly the policy is held to the stage's start. Left out: 0.1; with "
        "`sigmoid_norm` 5, for its log-ratios are per token.",
    )
    label_smoothing: float | None = Field(
        default=None,
        ge=0,
        lt=0.5,
        allow_inf_nan=False,
        description="Share of pairs that are taken to be swapped, in `robust`, `exo_pair` and "
        "`aot`. Left out: 0; with `robust` 0.1 and with `exo_pair` 0.001, as in their papers.",
    )
