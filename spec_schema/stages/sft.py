"""Stages that imitate: supervised fine-tuning."""

from typing import Literal

from pydantic import Field

from spec_schema.stage_table import StageTable

__all__ = ["SftStage"]


class SftStage(StageTable):
    """Supervised fine-tuning on the ideal completions, or on the stage's own rows."""

    method: Literal["sft"] = Field(description="How the stage trains.")
    learning_rate: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Highest learning rate. Left out: 2e-5, with an adapter 2e-4.",
    )
    prompts_per_step: int = Field(
        default=16, ge=1, description="Rows in one optimizer step, over all GPUs."
    )
    max_length: int = Field(
        default=1024, ge=1, description="Longest prompt and completion together, in tokens."
    )
    loss_type: Literal["nll", "dft"] = Field(
        default="nll", description="Form of the loss, named as in TRL's `SFTConfig`."
    )
    assistant_only_loss: bool = Field(
        default=False,
        description="Of rows of `messages`, learn only what the assistant says: each of its turns "
        "becomes a row, with all before it as prompt. `false`: the other turns are learnt as well.",
    )
    packing: bool = Field(
        default=False,
        description="Put several rows into one sequence of `max_length` tokens, each with its own "
        "attention.",
    )
