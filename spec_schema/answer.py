"""The `[answer]` table: how an answer is read from a completion."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from spec_schema.base import LazyTables, NonEmptyText, TagName, Variants
from spec_schema.comparison import AnswerTable

if TYPE_CHECKING:
    from spec_schema.structured_answer import ChoiceAnswer, CodeAnswer, JsonAnswer, PythonAnswer

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


_KINDS = LazyTables(
    "spec_schema",
    {
        "xml": "answer:XmlAnswer",
        "boxed": "answer:BoxedAnswer",
        "after": "answer:AfterAnswer",
        "regex": "answer:RegexAnswer",
        "json": "structured_answer:JsonAnswer",
        "code": "structured_answer:CodeAnswer",
        "choice": "structured_answer:ChoiceAnswer",
        "last_number": "answer:LastNumberAnswer",
        "whole": "answer:WholeAnswer",
        "python": "structured_answer:PythonAnswer",
    },
)

if TYPE_CHECKING:
    Answer = (
        XmlAnswer
        | BoxedAnswer
        | AfterAnswer
        | RegexAnswer
        | JsonAnswer
        | CodeAnswer
        | ChoiceAnswer
        | LastNumberAnswer
        | WholeAnswer
        | PythonAnswer
    )
else:
    Answer = Annotated[AnswerTable, Variants(_KINDS, "extract")]
