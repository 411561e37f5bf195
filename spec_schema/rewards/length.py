"""Rewards for the length of a completion."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import Purpose
from spec_schema.rewards.table import TextRewardTable

__all__ = [
    "LengthReward",
]


class LengthReward(TextRewardTable):
    """1 at the target or inside the limits, less the further away; in tokens or in characters.

    Tokens are counted as they were sampled, over the whole completion.
    """

    pays_for: ClassVar[Purpose] = "length"

    kind: Literal["length"] = Field(description="What is paid for.")
    target_tokens: int | None = Field(
        default=None, ge=1, description="Best length of a completion in tokens; not beside limits."
    )
    min_tokens: int | None = Field(
        default=None, ge=1, description="Shortest good length in tokens."
    )
    max_tokens: int | None = Field(default=None, ge=1, description="Longest good length in tokens.")
    target_characters: int | None = Field(
        default=None,
        ge=1,
        description="Best length of a completion in characters; not beside limits.",
    )
    min_characters: int | None = Field(
        default=None, ge=1, description="Shortest good length in characters."
    )
    max_characters: int | None = Field(
        default=None, ge=1, description="Longest good length in characters."
    )
