"""Rows that a generator makes, imported where a spec has some."""

from pydantic import Field

from spec_schema.base import Name, NonEmptyText
from spec_schema.source_table import SourceTable

__all__ = ["ReasoningGymSource"]


class ReasoningGymSource(SourceTable):
    """Rows that a generator of reasoning-gym makes, with the columns `question` and `answer`.

    A row is made from a seed of its own, so that the same spec has the same rows.
    """

    reasoning_gym: NonEmptyText = Field(
        description="Name of the generator, such as `chain_sum` or `countdown`."
    )
    # Not a sample as with other sources: there is no end of rows to draw it from.
    rows: int = Field(  # pyright: ignore[reportIncompatibleVariableOverride]  # frozen
        ge=1, description="How many rows are made, before `where`."
    )
    seed: int | None = Field(
        default=None,
        ge=0,
        lt=2**32,
        description="The first row is made with this seed, the next with the one after it. "
        "Left out: the first that no source of the spec uses, from the project's seed on, so "
        "that no two sources make the same rows.",
    )
    config: dict[Name, object] = Field(
        default_factory=dict[str, object],
        description="The generator's own settings, such as `{ min_terms = 2, max_terms = 4 }`. "
        "Left out: its defaults.",
    )
