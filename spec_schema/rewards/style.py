"""Rewards for how a completion is written."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, Purpose
from spec_schema.rewards.table import TextRewardTable

__all__ = [
    "ForbiddenReward",
]


class ForbiddenReward(TextRewardTable):
    """A penalty: -1 where one of the patterns is found, else 0."""

    pays_for: ClassVar[Purpose] = "style"

    kind: Literal["forbidden"] = Field(description="What is paid for.")
    patterns: list[NonEmptyText] = Field(
        min_length=1, description="Regular expressions of Python's `re`, searched anywhere."
    )

    def bounds(self) -> tuple[float, float]:
        """A penalty pays nothing at best."""
        return (-1.0, 0.0)
