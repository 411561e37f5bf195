"""`extends`: the values of a house file under those of a spec."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from compiler.diagnostics import Report, Span, Stop
from compiler.parse import Document, KeyPath, parse
from compiler.source import SourceFile, read_source
from compiler.toml_duplicates import written_key
from compiler.value_errors import report_wrong_type
from spec_schema.tables import kinds_at

__all__ = ["EXTENDS", "extend", "read_house"]

EXTENDS: KeyPath = ("project", "extends")
# What says what this one spec is, which no file can say for many.
_OWN: tuple[KeyPath, ...] = (("spec",), ("project", "name"), EXTENDS)


def read_house(document: Document, report: Report) -> SourceFile:
    """Read the house file that a spec names at `EXTENDS`.

    What is in the way of reading it is reported where the spec names it, then `Stop`.
    """
    named: object = document.values["project"]["extends"]
    if not isinstance(named, str):
        report_wrong_type(document, report, EXTENDS, ("text",))
        raise Stop
    folder = document.source.path.parent
    # As a person would name it from where the command runs; a link on the way is not followed.
    path = Path(os.path.normpath(folder / named))
    found = Report()
    try:
        return read_source(path, found)
    except Stop:
        place = document.value_place(EXTENDS)
        report.diagnostics += [each._replace(place=place) for each in found.diagnostics]
        raise


def extend(document: Document, house: SourceFile, report: Report) -> Document:
    """Put the values of a house file under those of a spec, which win.

    Tables are merged key by key, all else is replaced: a list, a value of another type, and a table
    that says that it is of another kind. Errors in the house file are reported there, then `Stop`.
    """
    shared = parse(house, report)
    for path in _OWN:
        if path in shared.key_spans:
            report.error(
                "misplaced-key",
                f"`{written_key(path)}` belongs to a spec, but stands in a house file",
                shared.key_place(path),
                hints=("move it to the specs that extend this file, or remove it",),
            )
    report.stop_if_errors()
    values, hidden = _merged(document.values, shared.values, ())
    visible = {
        path
        for path in shared.key_spans.keys() | shared.value_spans.keys()
        if path not in document.key_spans and not any(path[: len(up)] == up for up in hidden)
    }
    return document._replace(
        values=values,
        key_spans=_under(document.key_spans, shared.key_spans, visible),
        value_spans=_under(document.value_spans, shared.value_spans, visible),
        house=house,
        shared=dict.fromkeys(visible, house),
    )


def _under(
    own: dict[KeyPath, Span], shared: dict[KeyPath, Span], visible: set[KeyPath]
) -> dict[KeyPath, Span]:
    return {**own, **{path: span for path, span in shared.items() if path in visible}}


def _merged(
    own: dict[str, Any], shared: dict[str, Any], path: KeyPath
) -> tuple[dict[str, Any], list[KeyPath]]:
    """Give the values of both, and the paths at which those of the house file are replaced."""
    values, hidden = dict(shared), list[KeyPath]()
    for key, value in own.items():
        here, below = (*path, key), shared.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            mine, theirs = cast("dict[str, Any]", value), cast("dict[str, Any]", below)
            if not _are_of_two_kinds(mine, theirs, here):
                values[key], deeper = _merged(mine, theirs, here)
                hidden += deeper
                continue
        values[key] = value
        hidden.append(here)
    return values, hidden


def _are_of_two_kinds(own: dict[str, Any], shared: dict[str, Any], path: KeyPath) -> bool:
    mine, theirs = list(_kind(own, path)), list(_kind(shared, path))
    return bool(mine and theirs) and mine != theirs


def _kind(table: dict[str, Any], path: KeyPath) -> Iterator[tuple[str, object]]:
    """What a table says of which kind it is: `kind = "lora"`, or a source's key such as `path`."""
    for key, by_value in dict.fromkeys(
        (kind.chosen_by, kind.chosen is not None) for kind in kinds_at(path)
    ):
        if key is not None and key in table:
            yield key, table[key] if by_value else None
