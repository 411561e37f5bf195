"""Rewards for the length beside the most that a stage samples."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import Finite, Purpose
from spec_schema.rewards.table import RewardTable

__all__ = ["CosineLengthReward", "OverlongReward"]


class OverlongReward(RewardTable):
    """A penalty near the completion limit: 0 up to a buffer before it, falling evenly to -1 at it.

    The soft overlong punishment of DAPO (arXiv 2503.14476, equation 13).
    """

    pays_for: ClassVar[Purpose] = "length"

    kind: Literal["overlong"] = Field(description="What is paid for.")
    buffer_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Tokens before the limit in which the penalty grows. Left out: a fifth of the "
        "limit, as in DAPO.",
    )
    max_tokens: int | None = Field(
        default=None,
        ge=1,
        description="The limit in tokens. Left out: the `max_completion_length` of the stage.",
    )

    def bounds(self) -> tuple[float, float]:
        """A penalty pays nothing at best."""
        return (-1.0, 0.0)


class CosineLengthReward(RewardTable):
    """More for a short right answer than for a long one, and less off for a long wrong one.

    Falls from `max_value_correct` to `min_value_correct` for right answers, and rises from
    `min_value_wrong` to `max_value_wrong` for wrong ones, along half a cosine up to the limit and
    level beyond it (arXiv 2502.03373, appendix C.1).
    """

    pays_for: ClassVar[Purpose] = "length"

    kind: Literal["cosine_length"] = Field(description="What is paid for.")
    max_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Length from which the value stays level. Left out: the "
        "`max_completion_length` of the stage.",
    )
    min_value_correct: Finite = Field(
        default=0.5, description="A right answer at the limit and beyond."
    )
    max_value_correct: Finite = Field(default=1.0, description="The shortest right answer.")
    min_value_wrong: Finite = Field(default=-1.0, description="The shortest wrong answer.")
    max_value_wrong: Finite = Field(
        default=-0.5, description="A wrong answer at the limit and beyond."
    )

    def bounds(self) -> tuple[float, float]:
        """From the shortest wrong answer to the shortest right one."""
        return self.min_value_wrong, self.max_value_correct
