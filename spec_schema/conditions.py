"""Which rows of a source are kept, imported where a spec says it."""

from pydantic import Field

from spec_schema.base import Finite, NonEmptyText, Scalar, Table

__all__ = ["Condition"]


class Condition(Table):
    """What a column must hold for a row to be kept; every key that is written must be met."""

    equals: Scalar | None = Field(default=None, description="Keep rows whose value is this one.")
    not_equals: Scalar | None = Field(
        default=None, description="Keep rows whose value is not this one."
    )
    one_of: list[Scalar] | None = Field(
        default=None, min_length=1, description="Keep rows whose value is one of these."
    )
    at_least: Finite | None = Field(
        default=None, description="Keep rows whose value is this number or more."
    )
    at_most: Finite | None = Field(
        default=None, description="Keep rows whose value is this number or less."
    )
    contains: NonEmptyText | None = Field(
        default=None, description="Keep rows whose text contains this one."
    )
