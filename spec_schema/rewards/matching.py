"""Rewards that look for the gold in a completion, or for its parts."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, Purpose
from spec_schema.rewards.table import RewardTable, TextRewardTable

__all__ = ["ContainsReward", "FieldsReward"]


class ContainsReward(TextRewardTable):
    """1 where the gold stands in the text as words of its own, else 0.

    Weak: a text that names every candidate is paid. `correct` reads one answer and compares it.
    """

    pays_for: ClassVar[Purpose] = "correctness"

    kind: Literal["contains"] = Field(description="What is paid for.")
    needles: list[NonEmptyText] = Field(
        default=["{gold}"],
        min_length=1,
        description="Texts that must all stand in it, `{gold}` for the gold; `{{` and `}}` for "
        "braces. A text that begins or ends in a letter or digit is no part of a longer word or "
        "number: `4` is not in `14 ways`.",
    )
    case: Literal["keep", "fold"] = Field(
        default="keep", description="`fold` makes upper and lower case equal."
    )


class FieldsReward(RewardTable):
    """The share of the gold's JSON fields that the answer has right, each compared by `[answer]`.

    A field that the answer adds counts as a wrong one, unless `[answer]` ignores those.
    """

    pays_for: ClassVar[Purpose] = "correctness"

    kind: Literal["fields"] = Field(description="What is paid for.")
