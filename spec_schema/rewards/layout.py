"""Rewards for the layout of a completion."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import Purpose, TagName
from spec_schema.rewards.table import RewardTable

__all__ = [
    "XmlFormatReward",
    "XmlTagsReward",
]


class XmlFormatReward(RewardTable):
    """1 where every tag stands exactly once, closed and in order, else 0."""

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["xml_format"] = Field(description="What is paid for.")
    tags: list[TagName] | None = Field(
        default=None,
        min_length=1,
        description="Names of the tags, in order. Left out: those of `[prompt]` and `[answer]`.",
    )


class XmlTagsReward(RewardTable):
    """Partial credit: the share of opening and closing tags that stand exactly once."""

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["xml_tags"] = Field(description="What is paid for.")
    tags: list[TagName] | None = Field(
        default=None,
        min_length=1,
        description="Names of the tags. Left out: those of `[prompt]` and `[answer]`.",
    )
