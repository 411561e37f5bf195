"""Further ways to read an answer, of which a spec seldom needs one: imported when it does."""

from typing import Annotated, Literal

from pydantic import Field

from spec_schema.base import JSON_PATH_PATTERN, NonEmptyText, Table
from spec_schema.comparison import AnswerTable

__all__ = ["ChoiceAnswer", "CodeAnswer", "JsonAnswer", "PythonAnswer", "PythonReader"]


class JsonAnswer(AnswerTable):
    """The answer is a JSON object or array, or a part of one, in a fenced block or in the text.

    What JSON does not allow is no answer (`NaN`, a trailing comma), nor is an object that names a
    key twice, nor what the end of the completion cuts off. Where fenced blocks hold JSON, only
    those count.
    """

    extract: Literal["json"] = Field(description="How the answer is read.")
    path: Annotated[str, Field(pattern=JSON_PATH_PATTERN)] | None = Field(
        default=None,
        description="Where the answer stands in it: keys and positions such as `result.total` or "
        "`items[0].name`. Left out: the object or array itself, as JSON.",
    )


class CodeAnswer(AnswerTable):
    """The answer is what stands in a fenced block of code, which is closed.

    Fences are those of CommonMark: three or more backticks or tildes, closed by as many or more.
    """

    extract: Literal["code"] = Field(description="How the answer is read.")
    language: NonEmptyText | None = Field(
        default=None,
        description="Only blocks of this language count, such as `python` (also written `py`). "
        "Left out: all blocks.",
    )


class ChoiceAnswer(AnswerTable):
    r"""The answer is an option, chosen by its letter or its text, behind `Answer:` or the like.

    Read are `ANSWER: B`, `The answer is (B)`, `**B**`, `B. Aspirin`, `\boxed{\text{B}}`, and the
    text of an option. An answer that names several options chooses none.
    """

    extract: Literal["choice"] = Field(description="How the answer is read.")
    compare: Literal["choice"] = Field(  # pyright: ignore[reportIncompatibleVariableOverride]  # frozen
        default="choice",
        description="When it equals the gold: by the letter of the option, else by its text.",
    )


class PythonReader(Table):
    """A reader of the user's own."""

    python: NonEmptyText = Field(
        description="File and function `(text: str) -> str | None`, such as `my_answers.py:read`."
    )


class PythonAnswer(AnswerTable):
    """The answer is what a function of the user's own returns; None is no answer."""

    extract: PythonReader = Field(description="The function.")
