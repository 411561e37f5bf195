"""The version sets of a stack, and the fields of the config classes that each of them has."""

import functools
import json
import pathlib
import tomllib
from collections.abc import Mapping
from datetime import date, time
from typing import Any, Literal, NamedTuple, cast

from compiler.closest import quoted_list, shortened

__all__ = [
    "Field",
    "Package",
    "Stack",
    "Variant",
    "foreign_method",
    "known_stacks",
    "load_stack",
    "newest_stack",
    "quoted",
]

# The oldest first. One that was ever in a release stays, so that projects compiled with it go on.
STACKS = ("trl-1.16",)

# The version sets of a stack: TRL's trainers with transformers alone, with vLLM, or on Unsloth.
Variant = Literal["plain", "vllm", "unsloth"]
TITLES: Mapping[Variant, str] = {"plain": "", "vllm": " with vLLM", "unsloth": " with Unsloth"}

# A plain path, for `importlib.resources` costs 16 ms on the cold path of `check`.
FOLDER = pathlib.Path(__file__).parent

# Longer lists of members do not fit a message; there the closest name has to do.
LISTED_MEMBERS = 12

WORDS = {
    "bool": "`true` or `false`",
    "dict": "a table",
    "false": "`false`",
    "float": "a number",
    "int": "a whole number",
    "list[float]": "an array of numbers",
    "list[str]": "an array of text",
    "str": "text",
}


class Package(NamedTuple):
    """A package of the stack: the release it was tested with, and the range a project asks for."""

    name: str
    tested: str
    requires: str


class Field(NamedTuple):
    """One field of a config class.

    `types` are words of a closed vocabulary: `bool`, `int`, `float`, `str`, `dict`, `enum`,
    `list[str]`, `list[float]`, `false`, `object` (nothing that TOML can write) and `null`.
    """

    name: str
    types: tuple[str, ...]
    default: Any
    inherited: bool
    members: tuple[str, ...] = ()

    def accepts(self, value: object) -> str | None:
        """Return None where a TOML value fits the field, else the reason in words."""
        if any(_fits(word, value, self.members) for word in self.types):
            return None
        wanted = [self._wanted(word) for word in self.types if word != "null"]
        if wanted == [None]:
            return "takes a Python object, which TOML cannot write"
        return f"takes {' or '.join(filter(None, wanted))}, not {quoted(value)}"

    def _wanted(self, word: str) -> str | None:
        if word == "enum" and len(self.members) <= LISTED_MEMBERS:
            return quoted_list(self.members)
        if word == "enum":
            return f"one of {len(self.members)} names"
        return WORDS.get(word)


class Stack(NamedTuple):
    """One version set of a stack: its packages, and the config fields of each training method.

    `packages` are in the environment of every project, `optional` where a project uses them.
    `beside` are the ranges of packages that TRL imports where they happen to be installed.
    """

    name: str
    variant: Variant
    python: str
    packages: Mapping[str, Package]
    optional: Mapping[str, Package]
    beside: Mapping[str, str]
    configs: Mapping[str, str]
    shared: Mapping[str, Mapping[str, Any]]
    own: Mapping[str, Mapping[str, Mapping[str, Any]]]

    @property
    def title(self) -> str:
        """What a message calls the version set."""
        return self.name + TITLES[self.variant]

    @property
    def all_packages(self) -> dict[str, Package]:
        """Every package that the set says something of, by its name."""
        return {**self.packages, **self.optional}

    @property
    def versions(self) -> dict[str, str]:
        """The requirement of each package as a project's `pyproject.toml` states it."""
        return {name: name + package.requires for name, package in self.all_packages.items()}

    @property
    def checkpointing(self) -> str:
        """The field that has activations recomputed, which transformers 5.24 renamed."""
        new = "activation_checkpointing"
        return new if new in self.shared else "gradient_checkpointing"

    def field(self, method: str, name: str) -> Field | None:
        """Return a field of the method's config, or None where it has none of that name."""
        entry = self.own[method].get(name) or self.shared.get(name)
        if entry is None:
            return None
        return Field(
            name=name,
            types=tuple(entry["type"].split("|")),
            default=entry["default"],
            inherited=name in self.shared,
            members=tuple(entry.get("members", ())),
        )

    def fields(self, method: str) -> tuple[str, ...]:
        """Return the names of the method's config fields, sorted."""
        return tuple(sorted({*self.shared, *self.own[method]}))

    def default(self, method: str, name: str) -> Any:  # noqa: ANN401 - a default is any JSON value
        """Return a field's default in TRL; the field must exist."""
        field = self.field(method, name)
        if field is None:
            message = f"{self.configs[method]} has no field {name}"
            raise KeyError(message)
        return field.default

    def retired(self, method: str, name: str) -> str | None:
        """Return what takes the place of a field that TRL has renamed or removed."""
        if self.field(method, name) is not None:
            return None
        return _sentence("retired.toml", method, name)

    def retired_value(self, method: str, name: str, value: object) -> str | None:
        """Return what takes the place of a field's value that TRL has renamed or will drop."""
        values = _hand_written("retired.toml")["values"].get(method, {}).get(name, {})
        return values.get(value) if isinstance(value, str) else None

    def owned(self, method: str, name: str) -> str | None:
        """Return what to write instead of a field that the spec or the compiler decides."""
        if self.field(method, name) is None:
            return None
        return _sentence("owned.toml", method, name)

    def methods_with(self, name: str) -> tuple[str, ...]:
        """Return the methods whose config has a field of that name."""
        return tuple(method for method in self.configs if self.field(method, name) is not None)


def known_stacks() -> tuple[str, ...]:
    """Return the stacks that this trainspec has, the oldest first."""
    return STACKS


def foreign_method(name: str) -> str | None:
    """Return what became of a method that the language does not have, and what to take."""
    return _hand_written("retired.toml")["methods"].get(name.lower().replace("-", "_"))


def newest_stack() -> str:
    """Return the stack that a first compile and `--upgrade` take."""
    return STACKS[-1]


def load_stack(name: str | None = None, variant: Variant = "plain") -> Stack:
    """Read a version set of a stack of `known_stacks`, by default of the newest.

    Raises ValueError for a name that is no stack or no variant.
    """
    return _read_stack(newest_stack() if name is None else name, variant)


@functools.cache
def _read_stack(name: str, variant: Variant) -> Stack:
    if name not in STACKS or variant not in TITLES:
        message = f"no stack is called {name}, or it has no variant {variant}"
        raise ValueError(message)
    versions = _hand_written(f"{name}.toml")[variant]
    table = _fields(name, variant)
    return Stack(
        name=name,
        variant=variant,
        python=versions["python"],
        packages=_packages(versions["packages"]),
        optional=_packages(versions["optional"]),
        beside=versions["beside"],
        configs=table["configs"],
        shared=table["shared"],
        own=table["own"],
    )


def _packages(entries: Mapping[str, Mapping[str, str]]) -> dict[str, Package]:
    return {
        name: Package(name, entry["tested"], entry["requires"]) for name, entry in entries.items()
    }


def _fields(name: str, variant: Variant) -> dict[str, Any]:
    """The config fields of a variant, whose file says in what they differ from the plain ones."""
    table = json.loads((FOLDER / f"{name}.json").read_bytes())
    if variant == "plain":
        return table
    changed = json.loads((FOLDER / f"{name}-{variant}.json").read_bytes())
    return {
        "configs": table["configs"],
        "shared": _changed(table["shared"], changed["shared"]),
        "own": {
            method: _changed(fields, changed["own"].get(method, {}))
            for method, fields in table["own"].items()
        },
    }


def _changed(fields: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    # null: there is no such field.
    return {name: entry for name, entry in {**fields, **changes}.items() if entry is not None}


def quoted(value: object) -> str:
    """Return a TOML value as a message names it: the value itself, or its kind."""
    match value:
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return f"`{json.dumps(shortened(value), ensure_ascii=False)}`"
        case int() | float():
            return f"`{value}`"
        case date() | time():
            return "a date"
        case list():
            return "an array"
        case _:
            return "a table"


def _fits(word: str, value: object, members: tuple[str, ...]) -> bool:
    match word, value:
        case ("bool", bool()) | ("str", str()) | ("dict", dict()) | ("false", False):
            return True
        case (("int" | "float"), bool()):
            return False
        case ("int", int()) | ("float", int() | float()):
            return True
        case ("enum", str()):
            return value in members
        case (("list[str]" | "list[float]"), list()):
            items = cast("list[object]", value)
            return all(_fits(word[5:-1], item, ()) for item in items)
        case _:
            return False


@functools.cache
def _hand_written(file: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / file).read_text(encoding="utf-8"))


def _sentence(file: str, method: str, name: str) -> str | None:
    tables = _hand_written(file)
    for sentences in (tables.get(method, {}), tables["all"]):
        if name in sentences:
            return sentences[name]
        for pattern, sentence in sentences.items():
            if pattern.endswith("*") and name.startswith(pattern[:-1]):
                return sentence
    return None
