"""The reward for code that passes tests."""

from typing import Annotated, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Purpose, Table, Variants
from spec_schema.rewards.table import RewardTable

__all__ = [
    "AssertTests",
    "BlockTests",
    "CallTests",
    "CodeTestsReward",
    "ProgramTests",
    "RowText",
    "TextOrColumn",
]


class RowText(Table):
    """A text that stands in a column of the row."""

    column: NonEmptyText = Field(description="The column, or a field of `[data]`.")


def _text_or_column(value: object) -> str:
    return "<column>" if isinstance(value, dict | RowText) else "<text>"


TextOrColumn = Annotated[
    Annotated[NonEmptyText, Tag("<text>")] | Annotated[RowText, Tag("<column>")],
    Discriminator(_text_or_column),
]


class AssertTests(Table):
    """Tests that are lines of Python, such as `assert add(1, 2) == 3`."""

    asserts: NonEmptyText = Field(description="Column with a list of them, or JSON of one.")


class BlockTests(Table):
    """One text of Python: all of it is one test."""

    block: NonEmptyText = Field(
        description="Column with the text. Its functions `test_...` are called, and its "
        "`check(candidate)` with the entry point."
    )


class ProgramTests(Table):
    """Inputs and outputs of a program."""

    stdin: NonEmptyText = Field(
        description="Column with a list of inputs, or JSON of one; each is a run of its own."
    )
    stdout: NonEmptyText = Field(
        description="Column with the outputs; blanks at the end of a line, and last empty lines, "
        "are not compared."
    )


class CallTests(Table):
    """Arguments and results of the entry point."""

    arguments: NonEmptyText = Field(
        description="Column with a list, or JSON of one: for each call a list of arguments, or a "
        "table of named ones."
    )
    results: NonEmptyText = Field(
        description="Column with the results. A tuple is compared as a list, for JSON has none."
    )


class CodeTestsReward(RewardTable):
    """1 where the code of the completion passes the tests of its row, else 0; or their share.

    The code is what `[answer]` with `extract = "code"` reads, else the last closed block of code
    behind the thinking. It runs on Python's standard library, shut off from the machine, and sees
    the tests' arguments and nothing else of them.
    """

    pays_for: ClassVar[Purpose] = "correctness"

    kind: Literal["code_tests"] = Field(description="What is paid for.")
    tests: Annotated[
        AssertTests | BlockTests | ProgramTests | CallTests,
        Variants(
            {
                "asserts": AssertTests,
                "block": BlockTests,
                "stdin": ProgramTests,
                "arguments": CallTests,
            }
        ),
    ] = Field(description="The columns with the tests, by their form.")
    setup: TextOrColumn | None = Field(
        default=None,
        description="Python that runs before the code, and before the tests. "
        'Or `{ column = "..." }`. Left out: nothing.',
    )
    entry_point: TextOrColumn | None = Field(
        default=None,
        description="The function that is tested, or `Class.method`. "
        'Or `{ column = "..." }`. Left out: the tests name it.',
    )
    solution: RowText | None = Field(
        default=None,
        description="Column with a solution that passes: the ideal completion where `[prompt]` "
        "has no `assistant`, and the names that the code has to define.",
    )
    score: Literal["all", "share"] = Field(
        default="all",
        description="What is paid: 1 where `all` tests pass, or the `share` of them that does. "
        "With `all` the first failed test stops the rest.",
    )
    timeout_seconds: float = Field(
        default=5.0, gt=0, le=600, description="Time for each test, of the clock on the wall."
    )
    memory_mb: int = Field(default=512, ge=64, description="Address space of the code, in MiB.")
    isolation: Literal["required", "limits"] = Field(
        default="required",
        description="`required`: a machine that cannot shut the code off is refused. `limits`: it "
        "runs there under limits alone, which suits a machine that holds nothing else.",
    )
