"""The `[answer]` table: how an answer is read from a completion."""

from typing import Annotated, Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, TagName, Variants
from spec_schema.comparison import AnswerTable

__all__ = [
    "AfterAnswer",
    "Answer",
    "BoxedAnswer",
    "LastNumberAnswer",
    "RegexAnswer",
    "WholeAnswer",
    "XmlAnswer",
]


class XmlAnswer(AnswerTable):
    """The answer is what stands between a tag and its closing tag."""

    extract: Literal["xml"] = Field(description="How the answer is read.")
    tag: TagName = Field(description="Name of the tag, without the angle brackets.")


class BoxedAnswer(AnswerTable):
    r"""The answer is what stands in `\boxed{}`, braces counted."""

    extract: Literal["boxed"] = Field(description="How the answer is read.")


class AfterAnswer(AnswerTable):
    """The answer is the rest of the line after a marker."""

    extract: Literal["after"] = Field(description="How the answer is read.")
    marker: NonEmptyText = Field(description="The marker, taken literally, such as `####`.")


class RegexAnswer(AnswerTable):
    """The answer is the group `answer` of a regular expression."""

    extract: Literal["regex"] = Field(description="How the answer is read.")
    pattern: NonEmptyText = Field(
        description="Regular expression of Python's `re` with a group `(?P<answer>...)`; "
        "`.` does not match a line break unless the pattern says `(?s)`."
    )


class LastNumberAnswer(AnswerTable):
    """The answer is a number anywhere in the completion, the last one by default."""

    extract: Literal["last_number"] = Field(description="How the answer is read.")


class WholeAnswer(AnswerTable):
    """The answer is the whole completion."""

    extract: Literal["whole"] = Field(description="How the answer is read.")


Answer = Annotated[
    XmlAnswer | BoxedAnswer | AfterAnswer | RegexAnswer | LastNumberAnswer | WholeAnswer,
    Variants(
        {
            "xml": XmlAnswer,
            "boxed": BoxedAnswer,
            "after": AfterAnswer,
            "regex": RegexAnswer,
            "last_number": LastNumberAnswer,
            "whole": WholeAnswer,
        },
        "extract",
    ),
]
