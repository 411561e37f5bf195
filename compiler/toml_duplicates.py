"""Finds what a TOML text defines twice, and both places."""

from enum import StrEnum
from typing import NamedTuple

from compiler.diagnostics import Related, Report, Span
from compiler.source import SourceFile
from compiler.toml_spans import UNKNOWN_TABLE, Definition, KeyPath, Kind

__all__ = ["check_duplicates", "written_key"]


class _Role(StrEnum):
    VALUE = "a key"
    TABLE = "a table"
    ARRAY = "a list of tables"
    DOTTED = "a dotted key"
    IMPLIED = "the table above another"


class _Known(NamedTuple):
    role: _Role
    span: Span


def check_duplicates(source: SourceFile, definitions: list[Definition], report: Report) -> None:
    """Report each key and table that is given twice, with the lines of both."""
    known: dict[KeyPath, _Known] = {}
    for definition in definitions:
        is_known = definition.target[0] != UNKNOWN_TABLE
        clash = _add(definition, known) if is_known else None
        if clash is None:
            continue
        path, first, second = clash
        first_line, _ = source.line_and_column(first.span.start)
        second_line, _ = source.line_and_column(second.span.start)
        key = written_key(path)
        if first.role is second.role:
            kind = "table" if first.role is _Role.TABLE else "key"
            where = f"on lines {first_line} and {second_line}"
            if first_line == second_line:
                where = f"in line {first_line}"
            message = f"{kind} `{key}` is given twice, {where}"
        else:
            message = (
                f"`{key}` is given twice: as {first.role} on line {first_line}"
                f" and as {second.role} on line {second_line}"
            )
        report.error(
            "duplicate-key",
            message,
            source.place(second.span),
            label="given again here",
            hints=_hints(key, first.role, second.role),
            related=(Related(source.place(first.span), "first given here"),),
        )


def written_key(path: KeyPath) -> str:
    """Write a path as TOML writes a dotted key; positions in a list stand in brackets."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        is_bare = part.isascii() and part.replace("-", "").replace("_", "").isalnum()
        text += ("." if text else "") + (part if is_bare else f'"{part}"')
    return text


def _hints(key: str, first: _Role, second: _Role) -> tuple[str, ...]:
    if first is second is _Role.VALUE:
        return ("keep one of the two",)
    if first is second is _Role.TABLE:
        return (f"put the keys of both under one `[{key}]`",)
    return ("keep one of the two forms",)


def _add(
    definition: Definition, known: dict[KeyPath, _Known]
) -> tuple[KeyPath, _Known, _Known] | None:
    is_pair = definition.kind is Kind.PAIR
    *outer, last = definition.parts
    for part in outer:
        new = _Known(_Role.DOTTED if is_pair else _Role.IMPLIED, part.span)
        old = known.get(part.path)
        if old is None or (is_pair and old.role is _Role.IMPLIED):
            known[part.path] = new
        elif old.role is _Role.VALUE or (is_pair and old.role is not _Role.DOTTED):
            return part.path, old, new
    old = known.get(last.path)
    match definition.kind:
        case Kind.PAIR:
            new = _Known(_Role.VALUE, last.span)
            allowed = old is None
        case Kind.TABLE:
            new = _Known(_Role.TABLE, definition.span)
            allowed = old is None or old.role is _Role.IMPLIED
        case Kind.ARRAY:
            new = _Known(_Role.ARRAY, definition.span)
            allowed = old is None or old.role is _Role.ARRAY
    if old is not None and not allowed:
        return last.path, old, new
    if old is None or definition.kind is not Kind.ARRAY:
        known[last.path] = new
    return None
