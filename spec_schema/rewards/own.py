"""Rewards of the user's own."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import Finite, NonEmptyText, Purpose
from spec_schema.rewards.table import RewardTable

__all__ = [
    "PythonReward",
]


class PythonReward(RewardTable):
    """A function of the user's own, with TRL's signature; its file is never overwritten."""

    pays_for: ClassVar[Purpose] = "own"

    kind: Literal["python"] = Field(description="What is paid for.")
    function: NonEmptyText = Field(
        description="File and function, such as `my_rewards.py:units_are_stated`."
    )
    range: list[Finite] = Field(
        min_length=2,
        max_length=2,
        description="Lowest and highest value of the function; the highest is a full mark.",
    )

    def bounds(self) -> tuple[float, float]:
        """The range that it declares."""
        return self.range[0], self.range[1]
