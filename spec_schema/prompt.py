"""The `[prompt]` table: what the model is shown, and what an ideal completion looks like."""

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Table

__all__ = ["Prompt", "Shot", "ShotRows", "Shots", "SystemText", "TextFile"]


class TextFile(Table):
    """A text that stands in a file of its own."""

    file: NonEmptyText = Field(
        description="Path of a UTF-8 text file, relative to the spec's folder."
    )


class ShotRows(Table):
    """Training rows that are shown as examples and then left out of training."""

    rows: list[Annotated[int, Field(ge=0)]] = Field(
        min_length=1, description="Positions in `train`, counted from 0."
    )


class Shot(Table):
    """One example, written out."""

    user: NonEmptyText = Field(description="What the user says.")
    assistant: NonEmptyText = Field(description="The ideal completion.")


def _text_or_file(value: object) -> str:
    return "<file>" if isinstance(value, dict | TextFile) else "<text>"


def _rows_or_list(value: object) -> str:
    return "<rows>" if isinstance(value, dict | ShotRows) else "<shots>"


SystemText = Annotated[
    Annotated[str, Tag("<text>")] | Annotated[TextFile, Tag("<file>")],
    Discriminator(_text_or_file),
]
Shots = Annotated[
    Annotated[ShotRows, Tag("<rows>")] | Annotated[list[Shot], Field(min_length=1), Tag("<shots>")],
    Discriminator(_rows_or_list),
]


class Prompt(Table):
    """What the model is shown, and what an ideal completion looks like."""

    system: SystemText | None = Field(
        default=None,
        description="System prompt, taken literally. Left out: no system message.",
    )
    user: NonEmptyText | None = Field(
        default=None,
        description="Template of the user's message: `{column}`, `{field}` or `{gold}`; "
        "`{{` and `}}` for braces. May be left out where no stage is asked in this form.",
    )
    assistant: NonEmptyText | None = Field(
        default=None,
        description="Template of the ideal completion: the target of SFT, the self-test, the "
        "shots. Left out: made from `extract` and the gold where that is possible.",
    )
    shots: Shots | None = Field(
        default=None,
        description="Examples before the user's message: rows of `train`, or a list of "
        "`user` and `assistant`. Left out: none.",
    )
