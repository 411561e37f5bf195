"""What stands where in a TOML text: the span of each key, value and table header."""

from enum import StrEnum
from typing import NamedTuple

from compiler.diagnostics import Span

__all__ = [
    "UNKNOWN_TABLE",
    "Break",
    "Definition",
    "KeyPart",
    "KeyPath",
    "Kind",
    "Reason",
    "Scalar",
    "Scan",
    "locate",
]

KeyPath = tuple[str | int, ...]

# Stands for the table under a header that cannot be read.
UNKNOWN_TABLE = "…"


class Kind(StrEnum):
    """What a definition is: `[table]`, `[[array of tables]]`, or `key = value`."""

    TABLE = "table"
    ARRAY = "list of tables"
    PAIR = "key"


class Reason(StrEnum):
    """Why a statement could not be read."""

    BAD_KEY = "bad key"
    NO_EQUALS = "no equals sign"
    NO_VALUE = "no value"
    NO_COMMA = "no comma"
    PAIR_IN_ARRAY = "pair in array"
    TEXT_AFTER = "text after"
    OPEN_STRING = "open string"
    OPEN_HEADER = "open header"
    OPEN_ARRAY = "open array"
    OPEN_TABLE = "open inline table"
    TABLE_NEWLINE = "newline in inline table"
    TABLE_COMMA = "trailing comma in inline table"
    TOO_DEEP = "too deep"


class KeyPart(NamedTuple):
    """One part of a dotted key: the whole path it leads to, and where it is written."""

    path: KeyPath
    span: Span


class Definition(NamedTuple):
    """One `[header]` or `key = value`, in a table or in an inline table."""

    kind: Kind
    parts: tuple[KeyPart, ...]
    span: Span
    target: KeyPath
    """The path of what is defined; for `[[name]]` it ends in the position of the new element."""


class Scalar(NamedTuple):
    """An unquoted value as written."""

    path: KeyPath
    span: Span


class Break(NamedTuple):
    """A place that cannot be read as TOML."""

    reason: Reason
    span: Span


class Scan:
    """Everything found in one walk over a text."""

    def __init__(self) -> None:
        """Begin with nothing found."""
        self.definitions: list[Definition] = []
        self.elements: list[tuple[KeyPath, Span]] = []
        self.scalars: list[Scalar] = []
        self.strings: list[Span] = []
        self.breaks: list[Break] = []


def locate(found: Scan) -> tuple[dict[KeyPath, Span], dict[KeyPath, Span]]:
    """Give the span of each key and of each value; both are the header for a `[table]`."""
    keys: dict[KeyPath, Span] = {}
    values: dict[KeyPath, Span] = {}
    for definition in found.definitions:
        *outer, last = definition.parts
        for part in outer:
            keys.setdefault(part.path, part.span)
            values.setdefault(part.path, part.span)
        match definition.kind:
            case Kind.PAIR:
                keys[last.path] = last.span
                values[last.path] = definition.span
            case Kind.TABLE:
                keys[last.path] = values[last.path] = definition.span
            case Kind.ARRAY:
                keys.setdefault(last.path, definition.span)
                values.setdefault(last.path, definition.span)
                keys[definition.target] = values[definition.target] = definition.span
    for path, span in found.elements:
        keys[path] = values[path] = span
    return keys, values
