"""What the stages share that sample completions and are paid for them."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Discriminator, Field, Tag

from spec_schema.base import LazyTables, Name, Table, Variants, Weight
from spec_schema.stage_table import StageTable

if TYPE_CHECKING:
    from spec_schema.endings import Gate, Until
else:  # few stages have one
    Gate, Until = (
        Annotated[Table, Variants(LazyTables("spec_schema", {kind: f"endings:{kind}"}))]
        for kind in ("Gate", "Until")
    )

__all__ = ["Mix", "RolloutStage"]


def _table_or_list(value: object) -> str:
    return "<table>" if isinstance(value, dict) else "<list>"


Mix = Annotated[
    Annotated[dict[Name, Weight], Tag("<table>")] | Annotated[list[Name], Tag("<list>")],
    Discriminator(_table_or_list),
]


class RolloutStage(StageTable):
    """A stage of reinforcement learning: it samples a group of completions for each prompt."""

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
    beta: float = Field(
        default=0.0,
        ge=0,
        allow_inf_nan=False,
        description="Weight of the KL term against the stage's start; 0: no reference model.",
    )
    updates_per_rollout: int = Field(
        default=1,
        ge=1,
        description="Optimizer steps taken from one rollout, whose prompts are that many times "
        "`prompts_per_step`. From 2 on later steps are off-policy, and clipping has an effect.",
    )
    epsilon: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="How far below 1 the importance ratio may count before it is clipped. Left "
        "out: 0.2.",
    )
    epsilon_high: float | None = Field(
        default=None,
        ge=0,
        allow_inf_nan=False,
        description="How far above 1 it may count. Left out: as `epsilon`.",
    )
    mask_truncated_completions: bool = Field(
        default=False,
        description="Completions that reach `max_completion_length` count for nothing in the loss.",
    )
    temperature: float = Field(
        default=1.0, gt=0, allow_inf_nan=False, description="Sampling temperature while training."
    )
    rewards: Mix | None = Field(
        default=None,
        description="This stage's mix: weights by name (0: logged, not paid), or a list of names "
        "that keep their weights; a reward not named is not called. Left out: all of `[rewards]`.",
    )
    gate: Gate | None = Field(
        default=None,
        description="What the start must be able to do before the stage trains: prints how many "
        "prompts it gets all wrong, all right or in between, and exits 5 where too few are right.",
    )
    until: Until | None = Field(
        default=None,
        description="Ends the stage early, once a reward is earned well enough. `steps` is then "
        "the most that it trains.",
    )
