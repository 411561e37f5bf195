"""The `[data]` table: where rows come from, which of them are kept, and what their gold is."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import LazyTables, Name, NonEmptyText, Table, Variants, text_or_list
from spec_schema.source_table import SourceTable

if TYPE_CHECKING:
    from spec_schema.columns import Columns
    from spec_schema.generators import ReasoningGymSource
    from spec_schema.options import OptionColumn, OptionColumns
else:  # few specs have one
    _COLUMNS = LazyTables("spec_schema", {"Columns": "columns:Columns"})
    Columns = Annotated[Table, Variants(_COLUMNS)]

__all__ = [
    "Cut",
    "Data",
    "EvalSource",
    "Gold",
    "Holdout",
    "HubSource",
    "PathSource",
    "PythonSource",
    "RowSource",
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


if TYPE_CHECKING:
    RowSource = HubSource | PathSource | PythonSource | ReasoningGymSource
    HeldOut = RowSource | Holdout
else:
    _SOURCES = {
        "hub": "data:HubSource",
        "path": "data:PathSource",
        "python": "data:PythonSource",
        "reasoning_gym": "generators:ReasoningGymSource",
    }
    _HELD_OUT = _SOURCES | {"holdout": "data:Holdout"}
    RowSource = Annotated[SourceTable, Variants(LazyTables("spec_schema", _SOURCES))]
    HeldOut = Annotated[Table, Variants(LazyTables("spec_schema", _HELD_OUT))]

Sources = Annotated[list[RowSource], Field(min_length=2), Tag("<list>")]
TrainSource = Annotated[Sources | Annotated[RowSource, Tag("<text>")], Discriminator(text_or_list)]
EvalSource = Annotated[Sources | Annotated[HeldOut, Tag("<text>")], Discriminator(text_or_list)]


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


class Gold(Cut):
    """The right answer of a row: a column, a part of it, or what is read from it."""

    extract: Literal["boxed", "last_number"] | None = Field(
        default=None,
        description="The column holds a worked solution, and the gold is the content of its last "
        "`\\boxed{}`, or its last number. Left out: the text as it is cut.",
    )
    as_: Literal["label", "index", "number", "text"] | None = Field(
        default=None,
        alias="as",
        description="With `options`: how the column names the right one. `label`: by its letter, "
        "or its key in the data. `index`: by its position, from 0. `number`: by its position, from "
        "1. `text`: by its text.",
    )
    several_right: Literal["error", "drop"] = Field(
        default="error",
        description="With `options`: what becomes of a row whose gold names several, in a list or "
        "as in `A, C`. `error`: `data.py` names it and training does not start. `drop`: it is left "
        "out.",
    )


if TYPE_CHECKING:
    RowOptions = OptionColumns | OptionColumn
else:
    _OPTIONS = {"columns": "options:OptionColumns", "column": "options:OptionColumn"}
    RowOptions = Annotated[Table, Variants(LazyTables("spec_schema", _OPTIONS))]

Options = Annotated[
    Annotated[list[NonEmptyText], Field(min_length=2), Tag("<list>")]
    | Annotated[RowOptions, Tag("<text>")],
    Discriminator(text_or_list),
]


class Data(Table):
    """Where rows come from, which of them are kept, and what their gold is."""

    train: TrainSource | None = Field(
        default=None,
        description="The rows to train on: a source, or a list of sources. May be left out where "
        "every stage has `data` of its own.",
    )
    eval: EvalSource | None = Field(
        default=None, description="The rows to evaluate on. Left out: nothing is evaluated."
    )
    gold: Gold | None = Field(
        default=None,
        description="The right answer of a row; an object or a list where `[answer]` compares such "
        "ones. Left out: rows have none.",
    )
    options: Options | None = Field(
        default=None,
        description='What a row lets choose from: the same for all, as in `["yes", "no"]`, or '
        "columns of the row. Those of a row are lettered, and give the templates of `[prompt]` "
        "`{options}`, a line each such as `B. Aspirin`, `{gold}`, the line of the right one, and "
        "`{gold_label}`, its letter. Left out: nothing.",
    )
    fields: dict[Name, Cut] = Field(
        default_factory=dict[str, Cut],
        description="Named parts of a row, for the templates of `[prompt]`.",
    )
    columns: Columns | None = Field(
        default=None,
        description="Where the rows hold whole prompts: `{ messages = ... }` names a column with a "
        "conversation, which the model goes on with behind the last message that is not the "
        "assistant's, or `{ prompt = ... }` one with a text or a list of messages. Nothing of "
        "`[prompt]` is added; its `assistant` may still say what an ideal completion is. Left out: "
        "`[prompt]` asks.",
    )
    max_prompt_tokens: int = Field(
        default=512, ge=1, description="Longest prompt in tokens, as rendered, shots included."
    )
    on_long_prompt: Literal["error", "drop"] = Field(
        default="error",
        description="What becomes of a row whose prompt is longer: `error` stops before the model "
        "loads, `drop` leaves the row out and says so.",
    )
