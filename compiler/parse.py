"""Reads a source as TOML: its values, and the place of each."""

import datetime as dt
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from compiler.diagnostics import Place, Report, Span, Stop
from compiler.source import SourceFile
from compiler.toml_characters import check_characters
from compiler.toml_scanner import scan
from compiler.toml_spans import KeyPath, Reason, Scan, locate

__all__ = ["Document", "KeyPath", "parse"]

# TOML's own range; what lies outside is read differently by each reader.
_INTEGERS = range(-(2**63), 2**63)


class Document(NamedTuple):
    """The values of a spec, and where each key and value stands.

    Where the spec extends a house file, its values are among them: `shared` holds the paths that
    stand in the text of `house`; all others stand in that of `source`.
    """

    source: SourceFile
    values: dict[str, Any]
    key_spans: dict[KeyPath, Span]
    value_spans: dict[KeyPath, Span]
    house: SourceFile | None = None
    shared: Mapping[KeyPath, SourceFile] = MappingProxyType({})

    def key_place(self, path: KeyPath) -> Place:
        """Give the place of a key, of a table's header, or of the nearest thing around it."""
        return self._place(self.key_spans, path)

    def value_place(self, path: KeyPath) -> Place:
        """Give the place of a value, of a table's header, or of the nearest thing around it."""
        return self._place(self.value_spans, path)

    def text_at(self, place: Place) -> str:
        """Give the text at a place of this document."""
        return self._source_of(place).text[place.span.start : place.span.end]

    def line_of(self, place: Place) -> int:
        """Give the line of a place of this document in its file, from 1."""
        return self._source_of(place).line_and_column(place.span.start)[0]

    def _source_of(self, place: Place) -> SourceFile:
        house = self.house
        return house if house is not None and place.file == house.name else self.source

    def _place(self, spans: dict[KeyPath, Span], path: KeyPath) -> Place:
        for length in range(len(path), 0, -1):
            if span := spans.get(path[:length]):
                return self.shared.get(path[:length], self.source).place(span)
        return self.source.place(Span(0, 0))


def parse(source: SourceFile, report: Report) -> Document:
    """Read any text as TOML; every error of its syntax is reported, then `Stop`."""
    findings = Report()
    text = check_characters(source, findings)
    found = scan(text)
    escaped = [span for span in found.strings if _has_escape(text[span.start : span.end])]
    if escaped:
        from compiler.toml_strings import check_strings  # few specs have a backslash to look at

        text = check_strings(source, text, escaped, findings)
    values = _load(source, text, found, findings)
    keys, spans = locate(found)
    document = Document(source, values or {}, keys, spans)
    leaves = _unquoted(text, found) if values is None else _leaves(values, ())
    _check_values(document, leaves, findings)
    report.diagnostics += sorted(
        findings.diagnostics, key=lambda finding: finding.place.span.start if finding.place else 0
    )
    if findings.has_errors:
        raise Stop
    return document


def _has_escape(string: str) -> bool:
    return string[0] == '"' and "\\" in string


def _load(source: SourceFile, text: str, found: Scan, report: Report) -> dict[str, Any] | None:
    error: Exception = RecursionError("nested too deep")
    if not any(broken.reason is Reason.TOO_DEEP for broken in found.breaks):
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError) as refusal:
            error = refusal
    from compiler.toml_syntax import explain_refusal  # most texts are TOML

    explain_refusal(source, text, found, error, report)
    return None


def _check_values(
    document: Document, leaves: Iterable[tuple[KeyPath, object]], report: Report
) -> None:
    for path, value in leaves:
        match value:
            case float() if not math.isfinite(value):
                key, written, place = _as_written(document, path)
                message = f"`{key}` is `{written}`, which is no finite number"
                report.error("not-finite", message, place, hints=("write a finite number",))
            case int() if value not in _INTEGERS:
                key, _, place = _as_written(document, path)
                message = f"`{key}` is a whole number beyond 64 bits"
                report.error("bad-number", message, place, hints=("write a smaller number",))
            case dt.date() | dt.time():
                key, written, place = _as_written(document, path)
                kind = _kind_of_date(value)
                message = f"`{key}` is {kind}, `{written}`, and no key of a spec takes one"
                hint = f'write `"{written}"` for the text'
                report.error("date-value", message, place, hints=(hint,))
            case _:
                pass


def _as_written(document: Document, path: KeyPath) -> tuple[str, str, Place]:
    from compiler.toml_duplicates import written_key  # most values can be used

    place = document.value_place(path)
    return written_key(path), document.source.text[place.span.start : place.span.end], place


def _kind_of_date(value: dt.date | dt.time) -> str:
    if isinstance(value, dt.datetime):
        return "a date with a time"
    return "a date" if isinstance(value, dt.date) else "a time"


def _leaves(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, object]]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[object]", value)):
            yield from _leaves(inner, (*path, index))
    else:
        yield path, value


def _unquoted(text: str, found: Scan) -> Iterator[tuple[KeyPath, object]]:
    """Give the numbers and dates of a text that as a whole is not TOML."""
    for scalar in found.scalars:
        written = text[scalar.span.start : scalar.span.end]
        # What is no value of its own was explained with the refusal of the text.
        with suppress(ValueError, RecursionError):
            yield scalar.path, tomllib.loads(f"value = {written}")["value"]
