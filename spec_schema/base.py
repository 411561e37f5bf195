"""What tables of the language share: strictness, names, fields common to the variants of one."""

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field

__all__ = [
    "NAME_PATTERN",
    "TAG_PATTERN",
    "AnswerTable",
    "Condition",
    "Finite",
    "Name",
    "NonEmptyText",
    "RewardTable",
    "Scalar",
    "SourceTable",
    "StageTable",
    "Table",
    "TagName",
    "Weight",
    "tag_by_key",
    "tag_by_presence",
]

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
TAG_PATTERN = r"^[A-Za-z_][A-Za-z0-9_.-]*$"

Name = Annotated[str, Field(pattern=NAME_PATTERN)]
TagName = Annotated[str, Field(pattern=TAG_PATTERN)]
NonEmptyText = Annotated[str, Field(min_length=1)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Scalar = str | bool | int | Finite


def tag_by_key(value: object, key: str) -> str | None:
    """Name the variant of a table by what stands under `key`, in brackets that no key has."""
    chosen: object = _get(value, key)
    return f"<{chosen}>" if isinstance(chosen, str) else None


def tag_by_presence(value: object, keys: tuple[str, ...]) -> str | None:
    """Name the variant of a table by the first of `keys` that it has."""
    for key in keys:
        if _get(value, key) is not None:
            return f"<{key}>"
    return None


def _get(value: object, key: str) -> object:
    if isinstance(value, dict):
        return cast("dict[str, object]", value).get(key)
    return getattr(value, key, None)


class Table(BaseModel):
    """A table of the language: no conversion, no unknown key, no change after reading."""

    # Schemas are built at the first use: `check` builds them once, other commands not at all.
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


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


class SourceTable(Table):
    """What every source of rows has."""

    rows: int | None = Field(
        default=None,
        ge=1,
        description="Take only so many rows: a sample drawn with the project's seed, "
        "after `where`. Left out: all rows.",
    )
    where: dict[str, Condition] = Field(
        default_factory=dict[str, Condition],
        description="Conditions by column; a row is kept where all of them hold.",
    )


class AnswerTable(Table):
    """What every way of reading an answer has: which one counts, and when it equals the gold."""

    several: Literal["last", "first", "only"] = Field(
        default="last",
        description="Which answer counts where a completion holds several. "
        "`only`: a completion with more than one has no answer.",
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
    unit: NonEmptyText | list[NonEmptyText] | None = Field(
        default=None,
        description="With `number`: units that may stand beside the number and are dropped, "
        'such as `"$"` or `["km", "kilometres"]`. Left out: a number with a unit is no number.',
    )


class RewardTable(Table):
    """What every reward has."""

    weight: Weight = Field(
        default=1.0,
        description="Factor of this reward in the sum, 0 or more; 0: logged, not paid.",
    )


class StageTable(Table):
    """What every stage has."""

    from_: NonEmptyText | None = Field(
        default=None,
        alias="from",
        description="The stage whose result this one starts from, or `base`. "
        "Left out: the stage before it, `base` for the first.",
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
    trainer: dict[str, Any] = Field(
        default_factory=dict[str, Any],
        description="Any other field of the method's TRL config, under its own name. "
        "A field that has a key of its own is refused here.",
    )
