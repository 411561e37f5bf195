"""The `data` table of a stage: rows of its own."""

from pydantic import Field

from spec_schema.base import Table
from spec_schema.columns import Columns
from spec_schema.data import Cut, EvalSource, TrainSource

__all__ = ["StageData"]


class StageData(Table):
    """The rows of one stage, in the place of those of `[data]`."""

    train: TrainSource = Field(description="The rows to train on: a source, or a list.")
    eval: EvalSource | None = Field(
        default=None,
        description="The rows to evaluate on while training. Left out: none, also with "
        "`[run] eval_every`.",
    )
    columns: Columns | None = Field(
        default=None,
        description="Which columns the stage learns from. Left out, where `sft`, `grpo` or `rloo` "
        "allow it: rows of the same columns as those of `[data]`, with `[prompt]` and the gold.",
    )
    gold: Cut | None = Field(
        default=None,
        description="The right answer of a row of `chosen` and `rejected`, in the form of that of "
        "`[data]`. Nothing learns from it: `python data.py` says with it how often `[answer]` and "
        "the rewards prefer the rejected answer, as they do where the columns are swapped.",
    )
