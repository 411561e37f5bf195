"""The `[data]` table: where rows come from, which of them are kept, and what their gold is."""

from typing import Annotated, Literal

from pydantic import Field

from spec_schema.base import Condition, Name, NonEmptyText, SourceTable, Table, Variants

__all__ = [
    "Condition",
    "Cut",
    "Data",
    "EvalSource",
    "Holdout",
    "HubSource",
    "PathSource",
    "PythonSource",
    "TrainSource",
]


class HubSource(SourceTable):
    """A data set on the Hugging Face hub."""

    hub: NonEmptyText = Field(description="Id of the data set, such as `openai/gsm8k`.")
    config: NonEmptyText | None = Field(
        default=None, description="Its configuration, where it has several."
    )
    split: NonEmptyText = Field(default="train", description="Its split.")
    revision: NonEmptyText | None = Field(
        default=None, description="Branch, tag or commit. Left out: the main branch."
    )


class PathSource(SourceTable):
    """A file: `.jsonl`, `.json` (a list of objects), `.csv`, `.tsv` or `.parquet`."""

    path: NonEmptyText = Field(description="Path of the file, relative to the spec's folder.")
    delimiter: str | None = Field(
        default=None,
        min_length=1,
        max_length=1,
        description="Character between the columns of a csv or tsv file. "
        "Left out: a comma, for `.tsv` a tab.",
    )
    encoding: NonEmptyText = Field(
        default="utf-8", description="Encoding of a text file, by its Python name."
    )


class PythonSource(SourceTable):
    """A function of the user's own that returns a `datasets.Dataset`."""

    python: NonEmptyText = Field(
        description="File and function, such as `my_data.py:load`; it takes no argument."
    )


class Holdout(Table):
    """Rows taken out of `train` before training, drawn with the project's seed."""

    holdout: Annotated[int, Field(ge=1)] | Annotated[float, Field(gt=0, lt=1)] = Field(
        description="How much of `train` is held out: a share between 0 and 1, "
        "or a whole number of rows."
    )
    by: NonEmptyText | None = Field(
        default=None,
        description="A column whose values are kept together, so that none is in both parts.",
    )


TrainSource = Annotated[
    HubSource | PathSource | PythonSource,
    Variants({"hub": HubSource, "path": PathSource, "python": PythonSource}),
]
EvalSource = Annotated[
    HubSource | PathSource | PythonSource | Holdout,
    Variants({"hub": HubSource, "path": PathSource, "python": PythonSource, "holdout": Holdout}),
]


class Cut(Table):
    """A part of a column's text; blanks at both ends are dropped."""

    column: NonEmptyText = Field(description="The column.")
    before: NonEmptyText | None = Field(
        default=None,
        description="Keep what stands before the last of these marks. Left out: to the end.",
    )
    after: NonEmptyText | None = Field(
        default=None, description="Keep what stands after the last of these marks. Left out: all."
    )


class Data(Table):
    """Where rows come from, which of them are kept, and what their gold is."""

    train: TrainSource = Field(description="The rows to train on.")
    eval: EvalSource | None = Field(
        default=None, description="The rows to evaluate on. Left out: nothing is evaluated."
    )
    gold: Cut | None = Field(
        default=None, description="The right answer of a row. Left out: rows have none."
    )
    fields: dict[Name, Cut] = Field(
        default_factory=dict[str, Cut],
        description="Named parts of a row, for the templates of `[prompt]`.",
    )
    max_prompt_tokens: int = Field(
        default=512, ge=1, description="Longest prompt in tokens, as rendered, shots included."
    )
    on_long_prompt: Literal["error", "drop"] = Field(
        default="error",
        description="What becomes of a row whose prompt is longer: `error` stops before the model "
        "loads, `drop` leaves the row out and says so.",
    )
