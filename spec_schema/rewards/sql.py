"""The reward for a query whose result is right."""

from typing import ClassVar, Literal

from pydantic import Field

from spec_schema.base import NonEmptyText, Purpose
from spec_schema.rewards.code import RowText
from spec_schema.rewards.table import RewardTable

__all__ = ["SqlReward"]


class SqlReward(RewardTable):
    """1 where the query of the completion has the result of the row's own query, else 0.

    The query is what `[answer]` with `extract = "code"` reads, else the last closed block of code
    behind the thinking. Rows are compared with their number, in order where the row's own query
    ends in ORDER BY; columns by position. 1 equals 1.0 and not "1", NULL equals NULL alone.
    """

    pays_for: ClassVar[Purpose] = "correctness"

    kind: Literal["sql"] = Field(description="What is paid for.")
    database: NonEmptyText = Field(
        description="Path of a SQLite file, relative to the spec's folder; it is only read."
    )
    solution: RowText = Field(
        description="Column with a right query: the ideal completion where `[prompt]` has no "
        "`assistant`."
    )
    timeout_seconds: float = Field(
        default=5.0, gt=0, le=600, description="Time for a query, of the clock on the wall."
    )
    memory_mb: int = Field(default=512, ge=64, description="Address space of a query, in MiB.")
    max_rows: int = Field(
        default=10000, ge=1, description="A query with a longer result earns nothing."
    )
    isolation: Literal["required", "limits"] = Field(
        default="required",
        description="`required`: a machine that cannot shut the query off is refused. `limits`: "
        "it runs there under limits alone.",
    )
