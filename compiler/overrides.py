"""`--set key.path=VALUE`: the spec's text with other values, and the way back for findings."""

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from compiler.diagnostics import Diagnostic, Place, Related, Report, Span, Stop
from compiler.parse import Document, KeyPath, parse
from compiler.source import SourceFile
from compiler.unsettled import BadSetting

__all__ = ["Overridden", "override"]


@dataclass(frozen=True, slots=True)
class _Setting:
    """One argument of `--set`, read: the key, the value as written, and where both stand in it."""

    source: SourceFile
    path: KeyPath
    value: Any
    key_span: Span
    value_span: Span

    @property
    def value_text(self) -> str:
        return self.source.text[self.value_span.start : self.value_span.end]


@dataclass(frozen=True, slots=True)
class _Edit:
    """A replaced range of a text; `value_at` is where the value begins in the new text."""

    span: Span
    text: str
    value_at: int
    setting: _Setting

    def applied(self, text: str) -> str:
        return text[: self.span.start] + self.text + text[self.span.end :]

    def place_before(self, place: Place) -> Place:
        """Give the place in the text before the edit, or in the argument for what it wrote."""
        first, last = self.span.start, self.span.start + len(self.text)
        grown = len(self.text) - (self.span.end - self.span.start)
        start, end = place.span.start, place.span.end
        if start >= last:
            return place._replace(span=Span(start - grown, end - grown))
        if start < first:
            return place._replace(span=Span(start, end - grown if end >= last else min(end, first)))
        setting = self.setting
        into_value = start - first - self.value_at
        if into_value < 0:
            return setting.source.place(setting.key_span)
        begin = setting.value_span.start + into_value
        return setting.source.place(Span(begin, min(begin + end - start, setting.value_span.end)))


@dataclass(frozen=True, slots=True)
class Overridden:
    """A spec's text with the values of `--set` in it."""

    source: SourceFile
    edits: tuple[_Edit, ...]

    @property
    def arguments(self) -> list[SourceFile]:
        """The arguments as sources, for the excerpts of diagnostics."""
        return [edit.setting.source for edit in self.edits]

    def relocated(self, diagnostic: Diagnostic) -> Diagnostic:
        """Point a finding about this text into the spec as it is on disk, or into the argument."""
        place = self._before(diagnostic.place) if diagnostic.place else None
        related = tuple(
            Related(self._before(other.place), other.message) for other in diagnostic.related
        )
        return diagnostic._replace(place=place, related=related)

    def _before(self, place: Place) -> Place:
        for edit in reversed(self.edits):
            if place.file == self.source.name:
                place = edit.place_before(place)
        return place


def override(source: SourceFile, arguments: Sequence[str], report: Report) -> Overridden:
    """Write each `key.path=VALUE` into the text of a spec: over its value, or into its table.

    Raises `BadSetting` for an argument that is no such thing or has no place in the spec.
    """
    edits: list[_Edit] = []
    for argument in arguments:
        findings = Report()
        try:
            document = parse(source, findings)
        except Stop:
            report.diagnostics += findings.diagnostics
            raise
        edit = _edit(document, _read(argument, document.values))
        source = source._replace(text=edit.applied(source.text))
        edits.append(edit)
    return Overridden(source, tuple(edits))


def _read(argument: str, values: dict[str, Any]) -> _Setting:
    key, equals, written = argument.partition("=")
    source = SourceFile(path=Path("--set"), name=f"--set {key.strip()}", text=argument)
    if not equals or not key.strip() or argument.lstrip().startswith(("[", "#")):
        message = f"`--set {argument}` is not of the form `key.path=VALUE`"
        raise BadSetting(message)
    findings = Report()
    try:
        document = parse(source, findings)
    except Stop as stop:
        found = findings.diagnostics[0].message
        quoted = f"; text is quoted: `--set '{key.strip()}=\"...\"'`"
        message = f"`--set {argument}`: {found}{quoted if written.strip()[:1].isalpha() else ''}"
        raise BadSetting(message) from stop
    path, value = _single_pair(document)
    spans = document.key_spans[path], document.value_spans[path]
    return _Setting(source, _with_positions(path, values), value, *spans)


def _single_pair(document: Document) -> tuple[KeyPath, Any]:
    path: KeyPath = ()
    value: Any = document.values
    while isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        if len(table) != 1:
            message = f"`--set {document.source.text}` sets more than one key"
            raise BadSetting(message)
        [(key, value)] = table.items()
        path = (*path, key)
        # A part of a dotted key stands for itself; what has a value of its own ends the key.
        if document.value_spans[path] != document.key_spans[path]:
            break
    return path, value


def _with_positions(path: KeyPath, values: object) -> KeyPath:
    """Turn the parts that count elements of a list in this spec into numbers."""
    turned: list[str | int] = []
    for part in path:
        if isinstance(values, list) and isinstance(part, str) and part.isdecimal():
            elements = cast("list[object]", values)
            turned.append(int(part))
            values = elements[int(part)] if int(part) < len(elements) else None
        else:
            turned.append(part)
            values = (
                cast("dict[str, object]", values).get(str(part))
                if isinstance(values, dict)
                else None
            )
    return tuple(turned)


def _edit(document: Document, setting: _Setting) -> _Edit:
    wanted = _merged(document.values, setting.path, setting.value)
    for edit in _candidates(document, setting):
        if _loaded(edit.applied(document.source.text)) == wanted:
            return edit
    message = f"`--set {setting.source.text}` has no place in `{document.source.name}`"
    raise BadSetting(message)


def _merged(values: object, path: KeyPath, value: object) -> object:
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(head, int) and isinstance(values, list):
        elements = cast("list[object]", values)
        return [
            _merged(element, rest, value) if index == head else element
            for index, element in enumerate(elements)
        ]
    table = cast("dict[str, object]", values) if isinstance(values, dict) else {}
    return {**table, str(head): _merged(table.get(str(head), {}), rest, value)}


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _candidates(document: Document, setting: _Setting) -> Iterator[_Edit]:
    """Give the edits that may be meant, the one that reads best first."""
    text, path, value = document.source.text, setting.path, setting.value_text
    span = document.value_spans.get(path)
    if span and (isinstance(path[-1], int) or span != document.key_spans[path]):
        yield _Edit(span, value, 0, setting)
    for length in range(len(path) - 1, 0, -1):
        span = document.value_spans.get(path[:length], Span(0, 0))
        key = f"{_dotted(path[length:])} = "
        if text.startswith("[", span.start):
            line_end = text.find("\n", span.end)
            at = len(text) if line_end < 0 else line_end
            yield _Edit(Span(at, at), f"\n{key}{value}", 1 + len(key), setting)
        elif text.startswith("{", span.start):
            at = span.end - 1
            key = f"{key}" if not text[span.start + 1 : at].strip() else f", {key}"
            at -= len(text[span.start + 1 : at]) - len(text[span.start + 1 : at].rstrip())
            yield _Edit(Span(at, at), f"{key}{value}", len(key), setting)
    if len(path) > 1:
        start = "" if not text or text.endswith("\n") else "\n"
        key = f"{start}\n[{_dotted(path[:-1])}]\n{_dotted(path[-1:])} = "
        yield _Edit(Span(len(text), len(text)), f"{key}{value}\n", len(key), setting)
    key = f"{_dotted(path)} = "
    yield _Edit(Span(0, 0), f"{key}{value}\n", len(key), setting)


def _dotted(path: KeyPath) -> str:
    parts = (str(part) for part in path)
    # A JSON string in ASCII is a TOML string.
    return ".".join(
        part
        if part.isascii() and part.replace("-", "").replace("_", "").isalnum()
        else json.dumps(part)
        for part in parts
    )
