"""What every table of `[stages.*]` has."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from spec_schema.base import LazyTables, Name, NonEmptyText, Table, Variants
from spec_schema.model import Adapter

if TYPE_CHECKING:
    from spec_schema.stage_data import StageData
else:  # few specs have one
    _DATA = LazyTables("spec_schema", {"StageData": "stage_data:StageData"})
    StageData = Annotated[Table, Variants(_DATA)]

__all__ = ["StageTable"]


class StageTable(Table):
    """What every stage has."""

    from_: NonEmptyText | None = Field(
        default=None,
        alias="from",
        description="The stage whose result this one starts from, or `base`. "
        "Left out: the stage before it, `base` for the first.",
    )
    model: NonEmptyText | None = Field(
        default=None,
        description="A model of its own to start from, written as `base` of `[model]`; not beside "
        "`from`. Left out: the result that `from` names.",
    )
    adapter: Adapter | None = Field(
        default=None,
        description="What this stage trains instead of all weights. Left out: the adapter of "
        "`[model]`.",
    )
    epochs: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Length of the stage in passes over the training rows; not beside `steps`. "
        "Left out, with no `steps` either: 1.",
    )
    steps: int | None = Field(
        default=None,
        ge=1,
        description="Length of the stage in optimizer steps; not beside `epochs`.",
    )
    was: Name | None = Field(
        default=None,
        description="The name that the stage had at the last compile: its script with your edits, "
        "and its results, follow. May stay written. Left out: a stage that comes in the place of "
        "the only one that left, with the same method, is taken for that one.",
    )
    data: StageData | None = Field(
        default=None,
        description="The stage's own rows. Left out: those of `[data]`.",
    )
    trainer: dict[str, Any] = Field(
        default_factory=dict[str, Any],
        description="Any other field of the method's TRL config, under its own name. "
        "A field that has a key of its own is refused here.",
    )
