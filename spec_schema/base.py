"""What tables of the language share: strictness, names, fields common to the variants of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

__all__ = [
    "NAME_PATTERN",
    "TAG_PATTERN",
    "UNKNOWN_VARIANT",
    "Condition",
    "Finite",
    "Name",
    "NonEmptyText",
    "Purpose",
    "RewardTable",
    "Scalar",
    "SourceTable",
    "StageTable",
    "Table",
    "TagName",
    "Variants",
    "Weight",
    "text_or_list",
]

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
# The type of the error where a table does not say, or wrongly says, of which kind it is.
UNKNOWN_VARIANT = "unknown_variant"
TAG_PATTERN = r"^[A-Za-z_][A-Za-z0-9_.-]*$"

Name = Annotated[str, Field(pattern=NAME_PATTERN)]
TagName = Annotated[str, Field(pattern=TAG_PATTERN)]
NonEmptyText = Annotated[str, Field(min_length=1)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Scalar = str | bool | int | Finite
# What a reward pays for; an ideal completion earns all of what pays for correctness or format.
Purpose = Literal["correctness", "format", "length", "style", "own"]


def text_or_list(value: object) -> str:
    """Tell the two forms of a key apart, so that only what is wrong with the one is reported."""
    return "<list>" if isinstance(value, list) else "<text>"


class Table(BaseModel):
    """A table of the language: no conversion, no unknown key, no change after reading."""

    # Schemas are built at the first use: `check` builds them once, other commands not at all.
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


@dataclass(frozen=True, eq=False)
class Variants:
    """Chooses the kind of a table: by the value of `key`, or without one by the first key it has.

    A union of pydantic's own would build the schemas of all kinds before the first spec is read,
    a third of the time that reading one takes; this builds those that the spec uses.
    """

    tables: Mapping[str, type[Table]]
    key: str | None = None

    def __get_pydantic_core_schema__(
        self, _source: object, _handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Tell pydantic to leave the choice to `read`."""
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, _schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the table to editors as one of its kinds."""
        for table in self.tables.values():
            table.model_rebuild()
        schemas = [handler(table.__pydantic_core_schema__) for table in self.tables.values()]
        return {"oneOf": schemas}

    def read(self, value: object) -> Table:
        """Read a table as the kind that it says it is."""
        if isinstance(value, Table) and type(value) in self.tables.values():
            return value
        table = self._chosen(cast("dict[str, object]", value)) if isinstance(value, dict) else None
        if table is None:
            raise PydanticCustomError(UNKNOWN_VARIANT, "the table is of no known kind")
        return table.model_validate(value)

    def _chosen(self, value: dict[str, object]) -> type[Table] | None:
        if self.key is None:
            return next((table for key, table in self.tables.items() if key in value), None)
        name = value.get(self.key)
        return self.tables.get(name) if isinstance(name, str) else None


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


class RewardTable(Table):
    """What every reward has."""

    pays_for: ClassVar[Purpose]

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
