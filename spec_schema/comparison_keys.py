"""What the ways of comparing two answers are told, for a whole answer and for a field of it."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Table, text_or_list

__all__ = ["ComparisonKeys"]

Units = Annotated[
    Annotated[NonEmptyText, Tag("<text>")]
    | Annotated[list[NonEmptyText], Field(min_length=1), Tag("<list>")],
    Discriminator(text_or_list),
]


class ComparisonKeys(Table):
    """What the ways of comparing are told; each key counts with some of them only."""

    case: Literal["keep", "fold"] = Field(
        default="keep", description="With `text`: `fold` makes upper and lower case equal."
    )
    whitespace: Literal["collapse", "remove", "keep"] = Field(
        default="collapse",
        description="With `text`: `collapse` makes every run of blanks and line breaks one blank, "
        "`remove` drops them all, `keep` compares them as they are.",
    )
    tolerance: float = Field(
        default=0.0,
        ge=0,
        allow_inf_nan=False,
        description="With `number` and `math`: the largest difference from the gold that still "
        "counts as equal, in the gold's own unit.",
    )
    relative_tolerance: float = Field(
        default=0.0,
        ge=0,
        lt=1,
        description="With `number` and `math`: the largest difference that still counts as equal, "
        "as a share of the gold.",
    )
    percent: Literal["strict", "strip", "scale"] = Field(
        default="strict",
        description="With `number` and `math`: what a percent sign means. `strict`: `28%` equals "
        "only `28%`. `strip`: the sign is dropped, `28%` equals `28`. `scale`: `28%` equals "
        "`0.28`.",
    )
    grouping: Literal["thousands", "indian", "none"] = Field(
        default="thousands",
        description="With `number` and `math`: which digit groups are one number. `thousands`: "
        "groups of three set off by a comma, a blank or `\\,`, as in `1,234`. `indian`: also "
        "`1,00,000`. `none`: no separator is read.",
    )
    unit: Units | None = Field(
        default=None,
        description="With `number` and `math`: units that may stand beside the number and are "
        'dropped, such as `"dollars"` or `["km", "kilometres"]`; currency signs are always '
        "dropped. Left out: a number with a unit is no number.",
    )
    separator: NonEmptyText = Field(
        default=",",
        description="With `set` and `list`: what stands between two elements. Brackets around all "
        "of them are dropped, and an array of JSON is read as one.",
    )
    each: Literal["text", "number", "exact"] = Field(
        default="text",
        description="With `set` and `list`: how two elements are compared, under the keys of that "
        "way of comparing.",
    )
    date_formats: list[NonEmptyText] = Field(
        default_factory=list[NonEmptyText],
        description="With `date`: further forms of a date, written with `%Y`, `%m`, `%d` and the "
        "English month names `%B` and `%b`, such as `%d/%m/%Y`. Forms that leave no doubt are "
        "always read: `2024-03-05`, `5 March 2024`, `Mar. 5th, 2024`.",
    )
