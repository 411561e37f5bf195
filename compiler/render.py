"""Diagnostics as text for people, as one line each for editors, and as JSON for programs."""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from compiler.diagnostics import Diagnostic, Place, Severity
from compiler.source import SourceFile

__all__ = ["render_concise", "render_full", "render_json", "summary"]

JSON_VERSION = 1
_WIDTH = 100
_TAB = "    "
_CONTROL_PICTURES = 0x2400
_STYLES = {"error": "1;31", "warning": "1;33", "note": "1;34", "place": "34"}

Sources = Mapping[str, SourceFile]


def render_full(diagnostics: Iterable[Diagnostic], sources: Sources, *, color: bool = False) -> str:
    """Show each finding with its line, a caret, hints and related places; a blank line between."""
    return "\n".join(_full(diagnostic, sources, _Paint(color)) for diagnostic in diagnostics)


def render_concise(diagnostics: Iterable[Diagnostic], sources: Sources) -> str:
    """Show each finding in one line: `file:line:column: severity[code]: message`."""
    return "".join(f"{_concise(diagnostic, sources)}\n" for diagnostic in diagnostics)


def render_json(diagnostics: Iterable[Diagnostic], sources: Sources) -> str:
    """Give the findings as one JSON object; lines and columns count from 1, the end is open."""
    found = [_as_json(diagnostic, sources) for diagnostic in diagnostics]
    return json.dumps({"version": JSON_VERSION, "diagnostics": found}, indent=2) + "\n"


def summary(diagnostics: Sequence[Diagnostic]) -> str:
    """Count the findings: `2 errors, 1 warning`, or `no errors`."""
    errors = sum(1 for found in diagnostics if found.severity is Severity.ERROR)
    counts = {"error": errors, "warning": len(diagnostics) - errors}
    parts = [f"{count} {name}{'s' * (count > 1)}" for name, count in counts.items() if count]
    return ", ".join(parts) or "no errors"


@dataclass(frozen=True, slots=True)
class _Paint:
    color: bool

    def __call__(self, text: str, style: str) -> str:
        return f"\033[{_STYLES[style]}m{text}\033[0m" if self.color and text else text


@dataclass(frozen=True, slots=True)
class _Excerpt:
    number: int
    line: str
    indent: int
    carets: int


def _concise(diagnostic: Diagnostic, sources: Sources) -> str:
    where = f"{_where(diagnostic.place, sources)}: " if diagnostic.place else ""
    head = f"{diagnostic.severity}[{diagnostic.code}]"
    return f"{where}{head}: {_one_line(diagnostic.message)}"


def _where(place: Place, sources: Sources) -> str:
    name = _one_line(place.file)
    if place.file not in sources:
        return name
    line, column = sources[place.file].line_and_column(place.span.start)
    return f"{name}:{line}:{column}"


def _full(diagnostic: Diagnostic, sources: Sources, paint: _Paint) -> str:
    severity = str(diagnostic.severity)
    head = paint(f"{severity}[{diagnostic.code}]", severity)
    shown = [(diagnostic.place, diagnostic.label or "", severity)] if diagnostic.place else []
    shown += [(related.place, related.message, "note") for related in diagnostic.related]
    excerpts = [_excerpt(place, sources) for place, _, _ in shown]
    gutter = max([len(str(excerpt.number)) for excerpt in excerpts if excerpt], default=1)
    lines = [f"{head}: {_one_line(diagnostic.message)}"]
    for (place, label, style), excerpt in zip(shown, excerpts, strict=True):
        arrow = ":::" if style == "note" else "-->"
        lines.append(f"{' ' * gutter}{paint(arrow, 'place')} {_where(place, sources)}")
        if excerpt:
            lines += _draw(excerpt, gutter, _one_line(label), style, paint)
        elif label:
            lines.append(f"{' ' * gutter} {paint('=', 'place')} {_one_line(label)}")
    if diagnostic.hints and any(excerpts):
        lines.append(f"{' ' * gutter} {paint('|', 'place')}")
    for hint in diagnostic.hints:
        name = paint("hint", "note")
        lines.append(f"{' ' * gutter} {paint('=', 'place')} {name}: {_one_line(hint)}")
    return "\n".join(lines) + "\n"


def _draw(excerpt: _Excerpt, gutter: int, label: str, style: str, paint: _Paint) -> list[str]:
    bar = paint("|", "place")
    number = paint(str(excerpt.number).rjust(gutter), "place")
    mark = "-" if style == "note" else "^"
    carets = paint(mark * excerpt.carets, style)
    pointer = f"{' ' * gutter} {bar} {' ' * excerpt.indent}{carets} {label}"
    text = f"{number} {bar} {excerpt.line}"
    return [f"{' ' * gutter} {bar}", text.rstrip(), pointer.rstrip()]


def _excerpt(place: Place, sources: Sources) -> _Excerpt | None:
    """Cut the first line of a place to what a terminal shows, as columns that line up."""
    source = sources.get(place.file)
    if source is None:
        return None
    number, column = source.line_and_column(place.span.start)
    line = source.text.split("\n", number)[number - 1]
    before, marked = column - 1, max(place.span.end - place.span.start, 1)
    cells = [_cell(character) for character in line]
    widths = [_width(cell) for cell in cells]
    first, last = _window(widths, before)
    head, tail = "…" * (first > 0), "…" * (last < len(cells))
    indent = len(head) + sum(widths[first:before])
    carets = sum(widths[before : min(before + marked, last)])
    return _Excerpt(number, head + "".join(cells[first:last]) + tail, indent, max(carets, 1))


def _window(widths: list[int], caret: int) -> tuple[int, int]:
    """Choose which characters of a line are shown: as many as fit, the caret in the first half."""
    first, last = 0, len(widths)
    if sum(widths) <= _WIDTH:
        return first, last
    room = sum(widths[:caret])
    while room > _WIDTH // 2:
        room -= widths[first]
        first += 1
    room = 0
    for last in range(first, len(widths)):
        room += widths[last]
        if room > _WIDTH:
            return first, last
    return first, len(widths)


def _cell(character: str) -> str:
    """Give what a terminal may be sent for a character: nothing that moves or hides text."""
    if character == "\t":
        return _TAB
    if character < " ":
        return chr(_CONTROL_PICTURES + ord(character))
    category = unicodedata.category(character)
    is_joiner = character in "\u200c\u200d"
    if category in {"Cc", "Cs", "Zl", "Zp"} or (category == "Cf" and not is_joiner):
        return "\ufffd"
    return character


def _width(cell: str) -> int:
    if len(cell) > 1:
        return len(cell)
    if unicodedata.category(cell) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(cell) in {"W", "F"} else 1


def _one_line(text: str) -> str:
    return "".join(map(_cell, text.replace("\t", " ")))


def _as_json(diagnostic: Diagnostic, sources: Sources) -> dict[str, object]:
    related = [
        {"message": related.message, **_place_as_json(related.place, sources)}
        for related in diagnostic.related
    ]
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        **_place_as_json(diagnostic.place, sources),
        "label": diagnostic.label,
        "hints": list(diagnostic.hints),
        "related": related,
    }


def _place_as_json(place: Place | None, sources: Sources) -> dict[str, object]:
    names = ("line", "column", "end_line", "end_column")
    if place is None:
        return {"file": None, **dict.fromkeys(names)}
    source = sources.get(place.file)
    if source is None:
        return {"file": place.file, **dict.fromkeys(names)}
    start = source.line_and_column(place.span.start)
    end = source.line_and_column(place.span.end)
    return {"file": place.file, **dict(zip(names, (*start, *end), strict=True))}
