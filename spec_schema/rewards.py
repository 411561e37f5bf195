"""The `[rewards]` table: what a completion is paid for."""

from typing import Annotated, Literal, cast

from pydantic import Field

from spec_schema.base import Finite, NonEmptyText, RewardTable, TagName, Variants

__all__ = [
    "CorrectReward",
    "ForbiddenReward",
    "LengthReward",
    "PythonReward",
    "Reward",
    "XmlFormatReward",
    "XmlTagsReward",
    "expand_short_form",
]


class CorrectReward(RewardTable):
    """1 where the answer that is read equals the gold, else 0."""

    kind: Literal["correct"] = Field(description="What is paid for.")


class XmlFormatReward(RewardTable):
    """1 where every tag stands exactly once, closed and in order, else 0."""

    kind: Literal["xml_format"] = Field(description="What is paid for.")
    tags: list[TagName] | None = Field(
        default=None,
        min_length=1,
        description="Names of the tags, in order. Left out: those of `[prompt]` and `[answer]`.",
    )


class XmlTagsReward(RewardTable):
    """Partial credit: the share of opening and closing tags that stand exactly once."""

    kind: Literal["xml_tags"] = Field(description="What is paid for.")
    tags: list[TagName] | None = Field(
        default=None,
        min_length=1,
        description="Names of the tags. Left out: those of `[prompt]` and `[answer]`.",
    )


class LengthReward(RewardTable):
    """1 at the target or inside the limits, less the further away; in tokens or in characters."""

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


class ForbiddenReward(RewardTable):
    """A penalty: -1 where one of the patterns is found, else 0."""

    kind: Literal["forbidden"] = Field(description="What is paid for.")
    patterns: list[NonEmptyText] = Field(
        min_length=1, description="Regular expressions of Python's `re`, searched anywhere."
    )


class PythonReward(RewardTable):
    """A function of the user's own, with TRL's signature; its file is never overwritten."""

    kind: Literal["python"] = Field(description="What is paid for.")
    function: NonEmptyText = Field(
        description="File and function, such as `my_rewards.py:units_are_stated`."
    )
    range: list[Finite] = Field(
        min_length=2,
        max_length=2,
        description="Lowest and highest value of the function; the highest is a full mark.",
    )


Reward = Annotated[
    CorrectReward | XmlFormatReward | XmlTagsReward | LengthReward | ForbiddenReward | PythonReward,
    Variants(
        {
            "correct": CorrectReward,
            "xml_format": XmlFormatReward,
            "xml_tags": XmlTagsReward,
            "length": LengthReward,
            "forbidden": ForbiddenReward,
            "python": PythonReward,
        },
        "kind",
    ),
]


def expand_short_form(value: object) -> object:
    """Write `name = number` out as `{ kind = name, weight = number }`; leave all else as it is."""
    if not isinstance(value, dict):
        return value
    return {
        name: {"kind": name, "weight": reward}
        if isinstance(reward, int | float) and not isinstance(reward, bool)
        else reward
        for name, reward in cast("dict[str, object]", value).items()
    }
