"""Rewards for the form of a completion, other than a layout of tags."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Purpose, Table
from spec_schema.rewards.table import RewardTable, TextRewardTable

__all__ = [
    "BoxedFormatReward",
    "JsonFormatReward",
    "JsonSchemaReward",
    "RegexFormatReward",
    "SchemaFile",
    "ThinkFormatReward",
]


class ThinkFormatReward(RewardTable):
    """1 where one `<think>` block begins the completion, is closed and an answer follows, else 0.

    Where the chat template ends the prompt with `<think>`, the completion has only the closing tag.
    """

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["think_format"] = Field(description="What is paid for.")


class BoxedFormatReward(RewardTable):
    r"""1 where exactly one `\boxed{}` stands outside the thinking, closed and filled, else 0."""

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["boxed_format"] = Field(description="What is paid for.")


class RegexFormatReward(TextRewardTable):
    """1 where the pattern matches the whole text, else 0."""

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["regex_format"] = Field(description="What is paid for.")
    pattern: NonEmptyText = Field(
        description="Regular expression of Python's `re` for the whole text, outer blanks and end "
        "tokens apart. `.` matches a line break as well; `(?-s:...)` turns that off."
    )


class JsonFormatReward(TextRewardTable):
    """1 where the text is one JSON object or array, alone or in one fenced block, else 0.

    Of a whole completion, what follows the thinking is looked at.
    """

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["json_format"] = Field(description="What is paid for.")


class SchemaFile(Table):
    """A JSON schema from a file."""

    file: NonEmptyText = Field(description="Path of a JSON file beside the spec.")


def _file_or_schema(value: object) -> str:
    return "<file>" if isinstance(value, dict) and set(value) == {"file"} else "<schema>"  # pyright: ignore[reportUnknownArgumentType]  # any TOML table


class JsonSchemaReward(TextRewardTable):
    """1 where the text is JSON that the schema allows, alone or in one fenced block, else 0.

    Of a whole completion, what follows the thinking is looked at.
    """

    pays_for: ClassVar[Purpose] = "format"

    kind: Literal["json_schema"] = Field(description="What is paid for.")
    schema_: Annotated[
        Annotated[SchemaFile, Tag("<file>")] | Annotated[dict[str, Any], Tag("<schema>")],
        Discriminator(_file_or_schema),
    ] = Field(
        alias="schema",
        description='A JSON schema, written out or `{ file = "schema.json" }`; draft 2020-12 '
        "unless `$schema` says another. `format` is checked, and a `$ref` stays inside the schema.",
    )
