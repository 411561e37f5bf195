"""Rewards that look at the gold."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import Purpose
from spec_schema.rewards.table import RewardTable

__all__ = [
    "CorrectReward",
]


class CorrectReward(RewardTable):
    """1 where the answer that is read equals the gold, else 0."""

    pays_for: ClassVar[Purpose] = "correctness"

    kind: Literal["correct"] = Field(description="What is paid for.")
