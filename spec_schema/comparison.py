"""When an answer equals the gold: the keys of `[answer]` that every way of reading has."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from spec_schema.base import NonEmptyText, Table, text_or_list

__all__ = ["AnswerTable"]

Units = Annotated[
    Annotated[NonEmptyText, Tag("<text>")]
    | Annotated[list[NonEmptyText], Field(min_length=1), Tag("<list>")],
    Discriminator(text_or_list),
]


class AnswerTable(Table):
    """What every way of reading an answer has: which one counts, and when it equals the gold."""

    several: Literal["last", "first", "only"] = Field(
        default="last",
        description="Which answer counts where a completion holds several. "
        "`only`: a completion that gives two different ones has no answer.",
    )
    compare: Literal["exact", "text", "number"] = Field(
        default="exact",
        description="When an answer equals the gold. `exact`: the same characters, blanks at both "
        "ends apart. `text`: the same text under `case` and `whitespace`, after Unicode NFKC. "
        "`number`: the same number under the number keys.",
    )
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
        description="With `number`: the largest difference from the gold that still counts as "
        "equal, in the gold's own unit.",
    )
    relative_tolerance: float = Field(
        default=0.0,
        ge=0,
        lt=1,
        description="With `number`: the largest difference that still counts as equal, "
        "as a share of the gold.",
    )
    percent: Literal["strict", "strip", "scale"] = Field(
        default="strict",
        description="With `number`: what a percent sign means. `strict`: `28%` equals only `28%`. "
        "`strip`: the sign is dropped, `28%` equals `28`. `scale`: `28%` equals `0.28`.",
    )
    grouping: Literal["thousands", "indian", "none"] = Field(
        default="thousands",
        description="With `number`: which digit groups are one number. `thousands`: groups of "
        "three set off by a comma, a blank or `\\,`, as in `1,234`. `indian`: also `1,00,000`. "
        "`none`: no separator is read.",
    )
    unit: Units | None = Field(
        default=None,
        description="With `number`: units that may stand beside the number and are dropped, "
        'such as `"dollars"` or `["km", "kilometres"]`; currency signs are always dropped. '
        "Left out: a number with a unit is no number.",
    )
