"""What tables of the language share: strictness, names, and the choice of a kind of table."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Literal, cast

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
    "JSON_PATH_PATTERN",
    "NAME_PATTERN",
    "TAG_PATTERN",
    "UNKNOWN_VARIANT",
    "Finite",
    "LazyTables",
    "Name",
    "NonEmptyText",
    "Purpose",
    "Scalar",
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
JSON_PATH_PATTERN = r"^([^.\[\]]+|\[-?[0-9]+\])(\.[^.\[\]]+|\[-?[0-9]+\])*$"

Name = Annotated[str, Field(pattern=NAME_PATTERN)]
TagName = Annotated[str, Field(pattern=TAG_PATTERN)]
NonEmptyText = Annotated[str, Field(min_length=1)]
Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Scalar = str | bool | int | Finite
# What a reward pays for; an ideal completion earns all of what pays for correctness or format.
Purpose = Literal["correctness", "format", "length", "style", "model", "own"]


def text_or_list(value: object) -> str:
    """Tell the two forms of a key apart, so that only what is wrong with the one is reported."""
    return "<list>" if isinstance(value, list) else "<text>"


class Table(BaseModel):
    """A table of the language: no conversion, no unknown key, no change after reading."""

    # Schemas are built at the first use: `check` builds them once, other commands not at all.
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", defer_build=True)


class LazyTables(Mapping[str, type[Table]]):
    """The kinds of a table by name, each imported when it is first asked for.

    To define a model takes longer than to read a table with it, and a spec uses few of many kinds.
    """

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        """Take the places of the models as `module:Class`, relative to the package."""
        self._package = package
        self._places = places

    def __getitem__(self, kind: str) -> type[Table]:
        """Import the model of a kind."""
        module, _, name = self._places[kind].partition(":")
        return getattr(import_module(f"{self._package}.{module}"), name)

    def __iter__(self) -> Iterator[str]:
        """Name the kinds, in the order in which they are listed."""
        return iter(self._places)

    def __len__(self) -> int:
        """Count the kinds."""
        return len(self._places)


class Variants:
    """Chooses the kind of a table: by the value of `key`, or without one by the first key it has.

    A union of pydantic's own would build the schemas of all kinds before the first spec is read,
    a third of the time that reading one takes; this builds those that the spec uses.
    """

    def __init__(self, tables: Mapping[str, type[Table]], key: str | None = None) -> None:
        """Take the kinds by name, and the key whose value is the name, where there is one."""
        self.tables = tables
        self.key = key

    def __get_pydantic_core_schema__(
        self, _source: object, _handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Tell pydantic to leave the choice to `read`."""
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(
        self, _schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the table to editors as one of its kinds, a lone one under its name."""
        for table in self.tables.values():
            table.model_rebuild()
        schemas = [table.__pydantic_core_schema__ for table in self.tables.values()]
        if len(schemas) == 1:
            # What is inside another schema is written once and referred to, as `adapt` in rewards.
            return handler(core_schema.definitions_schema(schemas[0], []))
        return {"oneOf": [handler(schema) for schema in schemas]}

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
            lone = len(self.tables) == 1  # it is only put off until it is needed
            return next((table for key, table in self.tables.items() if lone or key in value), None)
        name = value.get(self.key)
        if isinstance(name, dict):  # `{ python = "..." }` is the kind `python`
            name = next(iter(cast("dict[str, object]", name)), None)
        return self.tables.get(name) if isinstance(name, str) else None
