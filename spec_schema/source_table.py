"""What every source of rows has."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from spec_schema.base import LazyTables, Table, Variants

if TYPE_CHECKING:
    from spec_schema.conditions import Condition
else:  # few specs have one
    _CONDITION = LazyTables("spec_schema", {"Condition": "conditions:Condition"})
    Condition = Annotated[Table, Variants(_CONDITION)]

__all__ = ["SourceTable"]


class SourceTable(Table):
    """What every source of rows has."""

    rows: int | None = Field(
        default=None,
        ge=1,
        description="Take only so many rows: a sample drawn with the project's seed, "
        "after `where`. Left out: all rows.",
    )
    share: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="In a list of sources: which part of the rows comes from this one, beside the "
        "shares of the others, which add up to 1 with it. There are as many rows as there can be "
        "without one twice, drawn and mixed with the project's seed. Left out, in all of them: all "
        "rows of each.",
    )
    where: dict[str, Condition] = Field(
        default_factory=dict[str, Condition],
        description="Conditions by column; a row is kept where all of them hold.",
    )
