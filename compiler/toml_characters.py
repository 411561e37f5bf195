"""Finds characters that only look like TOML: control characters, curly quotes, odd spaces."""

import re

from compiler.diagnostics import Report, Span
from compiler.source import SourceFile
from compiler.toml_scanner import STRING

__all__ = ["check_characters"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")
_OPEN_TEXT = r'"""[\s\S]*|' + r"'''[\s\S]*"
# Written as escapes, since several of these look like plain quotes.
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2039\u203a\uff07\u2032"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02\u2033" + _SINGLE_QUOTES
_SPACES = "\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff"
_CLOSING = {
    "\u201c": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u2018": "\u2019",
    "\u201a": "\u2018\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
}
# Texts, for most specs need none of the three compiled.
# Comments and whole strings come first, since any character may stand in them.
_ODD = (
    rf"#[^\n]*+|{STRING.pattern}|{_OPEN_TEXT}|(?P<open>[\"'][^\n]*+)"
    rf"|(?P<quotes>[{_QUOTES}]+)|(?P<spaces>[{_SPACES}]+)"
)
_ODD_INSIDE = rf"(?P<quotes>[{_QUOTES}])|(?P<spaces>[{_SPACES}]+)"
_CURLY_FENCE = rf"[{_QUOTES}]{{3}}"


def check_characters(source: SourceFile, report: Report) -> str:
    """Report such characters, one finding a line; give a text as long in which they are mended."""
    if source.text.isascii() and not _CONTROL.search(source.text):
        return source.text
    text = list(source.text)
    _check_controls(source, text, report)
    plain = "".join(text)
    # A line is told by where it ends, which is quicker to find than its number.
    told: set[tuple[str, int]] = set()
    position, odd = 0, re.compile(_ODD)
    while found := odd.search(plain, position):
        position = found.end()
        span = Span(found.start(), found.end())
        line_end = plain.find("\n", span.start)
        if found["open"]:
            _mend_open_line(source, text, span, report)
        elif found["spaces"]:
            text[span.start : span.end] = " " * len(found[0])
            if ("space", line_end) not in told:
                _report_space(source, span, report)
            told.add(("space", line_end))
        elif found["quotes"]:
            position = _mend_quotes(plain, text, span)
            if ("quote", line_end) not in told:
                _report_quote(source, Span(span.start, position), report)
            told.add(("quote", line_end))
    return "".join(text)


def _mend_open_line(source: SourceFile, text: list[str], span: Span, report: Report) -> None:
    """Mend the rest of a line behind a quote that nothing plain closes; report what comes first."""
    plain = "".join(text[span.start : span.end])
    for number, found in enumerate(re.finditer(_ODD_INSIDE, plain)):
        start, end = span.start + found.start(), span.start + found.end()
        place = Span(start, end)
        if found["spaces"]:
            text[start:end] = " " * (end - start)
        else:
            text[start] = "'" if found[0] in _SINGLE_QUOTES else '"'
        if number == 0:
            report_it = _report_space if found["spaces"] else _report_quote
            report_it(source, place, report)


def _check_controls(source: SourceFile, text: list[str], report: Report) -> None:
    told: set[int] = set()
    for found in _CONTROL.finditer(source.text):
        text[found.start() : found.end()] = " " * len(found[0])
        line, _ = source.line_and_column(found.start())
        if line in told:
            continue
        told.add(line)
        character = found[0][0]
        hint = "delete it; it may be invisible in your editor"
        if character == "\r":
            name, hint = "a lone carriage return", "save the file with LF or CRLF line endings"
        elif character == "\0":
            name = "a NUL"
        else:
            name = f"the control character U+{ord(character):04X}"
        place = source.place(Span(found.start(), found.start() + 1))
        report.error("control-character", f"{name} in line {line}", place, hints=(hint,))


def _report_space(source: SourceFile, span: Span, report: Report) -> None:
    line, _ = source.line_and_column(span.start)
    character = source.text[span.start]
    import unicodedata  # most specs have plain spaces

    name = unicodedata.name(character, "unnamed").lower()
    report.error(
        "odd-space",
        f"{name} (U+{ord(character):04X}) in line {line}, where TOML allows only plain spaces",
        source.place(span),
        hints=("replace it with a space",),
    )


def _report_quote(source: SourceFile, span: Span, report: Report) -> None:
    line, _ = source.line_and_column(span.start)
    written = source.text[span.start : span.end]
    first_line = written.split("\n", 1)[0]
    report.error(
        "curly-quote",
        f"curly quote `{written[0]}` in line {line}, where TOML wants `\"` or `'`",
        source.place(Span(span.start, span.start + len(first_line))),
        hints=("write straight quotes; an editor for code does not turn them",),
    )


def _mend_quotes(plain: str, text: list[str], span: Span) -> int:
    """Put a straight pair in place of a curly one, and give the end of what was mended.

    What stands between is blotted out: the line is reported once, whatever else is in it.
    """
    fence = re.compile(_CURLY_FENCE)
    if fence.match(plain, span.start):
        closing = fence.search(plain, span.start + 3)
        end = closing.end() if closing else span.start + 3
        inside = [c if c == "\n" else "_" for c in plain[span.start + 3 : end - 3]]
        text[span.start : end] = [*'"""', *inside, *'"""'] if closing else [*'"""']
        return end
    opening = plain[span.start]
    straight = "'" if opening in _SINGLE_QUOTES else '"'
    line_end = plain.find("\n", span.start)
    line_end = len(plain) if line_end < 0 else line_end
    ends = (plain.find(mate, span.start + 1, line_end) for mate in _CLOSING.get(opening, opening))
    index = min((end for end in ends if end > 0), default=span.start)
    if index > span.start:
        text[index] = straight
        text[span.start + 1 : index] = "_" * (index - span.start - 1)
    text[span.start] = straight
    return index + 1
