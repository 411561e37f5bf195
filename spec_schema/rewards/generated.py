"""The reward for rows that a generator makes."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import Purpose
from spec_schema.rewards.table import RewardTable

__all__ = ["ReasoningGymReward"]


class ReasoningGymReward(RewardTable):
    """What the generator of a row says of the answer, by reasoning-gym's own verifier: 0 to 1.

    The answer is what `[answer]` reads, else what stands in the last `<answer>` tag behind the
    thinking, which is what reasoning-gym asks for. Rows of other sources are not scored.
    """

    pays_for: ClassVar[Purpose] = "correctness"

    kind: Literal["reasoning_gym"] = Field(description="What is paid for.")
    checks_answer: bool = Field(
        default=True,
        description="This reward is the task's correctness: a full mark is a right answer.",
    )
