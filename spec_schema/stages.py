"""The `[stages.*]` tables: what is trained, by which method, with which recipe."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import Name, StageTable, Variants, Weight

__all__ = ["GrpoStage", "LossType", "Mix", "SftStage", "Stage"]

LossType = Literal["grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "luspo", "vespo"]


def _table_or_list(value: object) -> str:
    return "<table>" if isinstance(value, dict) else "<list>"


Mix = Annotated[
    Annotated[dict[Name, Weight], Tag("<table>")] | Annotated[list[Name], Tag("<list>")],
    Discriminator(_table_or_list),
]


class SftStage(StageTable):
    """Supervised fine-tuning on the ideal completions."""

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


class GrpoStage(StageTable):
    """Reinforcement learning with group-relative advantages on the mix of rewards."""

    method: Literal["grpo"] = Field(description="How the stage trains.")
    learning_rate: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Highest learning rate. Left out: 1e-6, with an adapter 1e-5.",
    )
    prompts_per_step: int = Field(
        default=16, ge=1, description="Distinct prompts in one optimizer step, over all GPUs."
    )
    num_generations: int = Field(
        default=8, ge=2, description="Completions sampled for each prompt: the size of a group."
    )
    max_completion_length: int = Field(
        default=512, ge=1, description="Longest completion that is sampled, in tokens."
    )
    loss_type: LossType = Field(
        default="dapo", description="Form of the loss, named as in TRL's `GRPOConfig`."
    )
    beta: float = Field(
        default=0.0,
        ge=0,
        allow_inf_nan=False,
        description="Weight of the KL term against the stage's start; 0: no reference model.",
    )
    temperature: float = Field(
        default=1.0, gt=0, allow_inf_nan=False, description="Sampling temperature while training."
    )
    scale_rewards: Literal["group", "batch", "none"] | None = Field(
        default=None,
        description="What advantages are divided by: the spread of the group, of the batch, or "
        "nothing. Left out: `group`; with `dr_grpo` `none`, as in its paper.",
    )
    rewards: Mix | None = Field(
        default=None,
        description="This stage's mix: weights by name (0: logged, not paid), or a list of names "
        "that keep their weights; a reward not named is not called. Left out: all of `[rewards]`.",
    )


Stage = Annotated[
    SftStage | GrpoStage,
    Variants({"sft": SftStage, "grpo": GrpoStage}, "method"),
]
