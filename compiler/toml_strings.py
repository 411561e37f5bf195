"""Finds backslashes that double quotes turn into something else, and mends their lines."""

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from compiler.diagnostics import Report, Span
from compiler.source import SourceFile

__all__ = ["check_strings", "excerpt"]

_ESCAPE = re.compile(
    r"\\(?:u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|[ \t]*\n\s*|(?P<mark>[\s\S]))"
)
_LETTERS = re.compile(r"[A-Za-z]*")

# What is left of a LaTeX command once `\t` or `\n` has been read as a tab or a newline.
_AFTER_TAB = """
    au anh ext extbf extit extrm extsf extsc extsuperscript exttt extup extnormal extstyle
    extcolor heta hetasym imes frac binom ilde riangle riangleq riangleleft riangleright
    herefore hicksim hickapprox hinspace woheadrightarrow abular
"""
_AFTER_NEWLINE = """
    abla eq eg otin leq geq gtr sim subseteq supseteq atural earrow warrow ewline ewcommand
    oindent onumber olimits ormalsize cong orm leqslant geqslant prec succ cap
    Rightarrow Leftarrow rightarrow leftarrow leftrightarrow vdash vDash
"""
# These are as likely to be the beginning of a word on a new line, or a column after a tab.
_UNSURE_AFTER_TAB = frozenset({"an", "ag", "o", "op", "able"})
_UNSURE_AFTER_NEWLINE = frozenset({"e", "i", "u", "ot", "um", "mid", "less", "parallel", "exists"})

_CONTROL_CODES = frozenset({*range(0x20), *range(0x7F, 0xA0)} - {ord("\t"), ord("\n")})
_READ_AS = {
    "b": "a backspace",
    "f": "a form feed",
    "r": "a carriage return",
    "t": "a tab",
    "n": "a newline",
}


class _Fate(Enum):
    PLAIN = "stands for a character that single quotes can hold"
    MEANT = "stands for a character that needs double quotes"
    UNSURE = "may be the beginning of a LaTeX command"
    DAMAGED = "was meant as a backslash"
    CONTROL = "stands for a control character"


class _Escape(NamedTuple):
    span: Span
    word: Span
    fate: _Fate


class _Token(NamedTuple):
    span: Span
    quotes: str
    escapes: tuple[_Escape, ...]

    def having(self, *fates: _Fate) -> list[_Escape]:
        return [escape for escape in self.escapes if escape.fate in fates]


def check_strings(source: SourceFile, text: str, strings: Iterable[Span], report: Report) -> str:
    """Report damaged backslashes; give the text with each of them blotted out, as long as before.

    `text` is that of the source but for characters that were already reported.
    """
    tokens = [_token(text, span) for span in strings if text[span.start] == '"']
    for token in tokens:
        _report_token(source, tokens, token, report)
    characters = list(text)
    for token in tokens:
        for escape in token.having(_Fate.DAMAGED, _Fate.CONTROL):
            start, end = escape.span.start, escape.span.end
            characters[start:end] = "_" * (end - start)
    return "".join(characters)


def excerpt(line: str, limit: int = 200) -> str:
    """Give a line to be quoted in a message, cut where it is too long to be copied by eye."""
    return line if len(line) <= limit else f"{line[:limit]}…"


def _report_token(source: SourceFile, tokens: list[_Token], token: _Token, report: Report) -> None:
    for escape in token.having(_Fate.CONTROL):
        written = source.text[escape.span.start : escape.span.end]
        message = f"`{written}` is a control character, which no text of a spec may hold"
        hints = ("a line ends in `\\n` alone",) if written == "\\r" else ()
        report.error("control-character", message, source.place(escape.span), hints=hints)
    damaged = token.having(_Fate.DAMAGED)
    unsure = token.having(_Fate.UNSURE)
    if not damaged and not unsure:
        return
    first = (damaged or unsure)[0]
    message = _message(source.text, damaged or unsure)
    hint = _hint(source.text, tokens, token, first)
    record = report.error if damaged else report.warning
    record(
        "damaged-backslash",
        message,
        source.place(first.word),
        label="this backslash is lost" if damaged else "is a LaTeX command meant?",
        hints=(hint,),
    )


def _message(text: str, escapes: list[_Escape]) -> str:
    words = list(dict.fromkeys(text[found.word.start : found.word.end] for found in escapes))
    word, mark = words[0], words[0][1]
    if mark in _READ_AS:
        rest = f" and `{word[2:]}`" if word[2:] else ""
        message = f"`{word}` in double quotes is read as {_READ_AS[mark]}{rest}"
    else:
        message = f"`{word}` in double quotes is no escape that TOML knows"
    if others := words[1:4]:
        listed = ", ".join(f"`{other}`" for other in others)
        unlisted = len(words) - 1 - len(others)
        more = f" and {unlisted} more" if unlisted else ""
        message += f"; the same string has {listed}{more}"
    return message


def _hint(text: str, tokens: list[_Token], token: _Token, first: _Escape) -> str:
    line_start = text.rfind("\n", 0, first.span.start) + 1
    line_end = text.find("\n", first.span.start)
    line_end = len(text) if line_end < 0 else line_end
    mended, position = "", line_start
    for other in tokens:
        start, end = other.span.start, other.span.end
        wanted = other is token or other.having(_Fate.DAMAGED)
        if wanted and start < line_end and end > line_start:
            inside = _mend(text, other).split("\n")
            row = max(0, text.count("\n", start, line_start))
            mended += text[position : max(start, position)] + inside[row]
            position = min(end, line_end)
    line = excerpt((mended + text[position:line_end]).strip())
    new = _mend(text, token)
    if new[0] == '"':
        return f"double each backslash that is meant: `{line}`"
    if "\n" in new:
        return f"use `'''` in place of `\"\"\"`, which keeps backslashes: `{line}`"
    return f"single quotes keep backslashes: `{line}`"


def _mend(text: str, token: _Token) -> str:
    """Write a string so that its damaged backslashes are backslashes, on as many lines."""
    wide = len(token.quotes)
    start, end = token.span.start, token.span.end
    literal = not token.having(_Fate.MEANT, _Fate.CONTROL)
    body, position = "", start + wide
    for escape in token.having(_Fate.PLAIN, _Fate.DAMAGED, _Fate.UNSURE):
        body += text[position : escape.span.start]
        written = text[escape.span.start : escape.span.end]
        if escape.fate is not _Fate.PLAIN:
            body += written if literal else f"\\{written}"
        else:
            body += written[1:] if literal else written
        position = escape.span.end
    body += text[position : end - wide]
    if not literal:
        return f"{token.quotes}{body}{token.quotes}"
    if wide == 1 and "'" not in body:
        return f"'{body}'"
    if "'''" not in body and not body.endswith("'"):
        return f"'''{body}'''"
    return f"{token.quotes}{_doubled(text, token)}{token.quotes}"


def _doubled(text: str, token: _Token) -> str:
    wide = len(token.quotes)
    body, position = "", token.span.start + wide
    for escape in token.having(_Fate.DAMAGED, _Fate.UNSURE):
        body += text[position : escape.span.start] + "\\"
        position = escape.span.start
    return body + text[position : token.span.end - wide]


def _token(text: str, span: Span) -> _Token:
    quotes = '"""' if text.startswith('"""', span.start) else '"'
    found = _ESCAPE.finditer(text, span.start + len(quotes), span.end - len(quotes))
    return _Token(span, quotes, tuple(_escape(match) for match in found))


def _escape(match: re.Match[str]) -> _Escape:
    span = Span(match.start(), match.end())
    mark, digits = match["mark"], match["short"] or match["long"]
    if digits:
        is_control = int(digits, 16) in _CONTROL_CODES
        return _Escape(span, span, _Fate.CONTROL if is_control else _Fate.MEANT)
    if mark is None:
        return _Escape(span, span, _Fate.MEANT)
    letters = _LETTERS.match(match.string, match.end(), match.endpos)
    tail = letters[0] if letters and mark.isalpha() else ""
    return _Escape(span, Span(span.start, span.end + len(tail)), _fate_of_mark(mark, tail))


def _fate_of_mark(mark: str, tail: str) -> _Fate:
    match mark:
        case '"' | "\\":
            return _Fate.PLAIN
        case "t":
            return _fate_of_tail(tail, _AFTER_TAB.split(), _UNSURE_AFTER_TAB)
        case "n":
            return _fate_of_tail(tail, _AFTER_NEWLINE.split(), _UNSURE_AFTER_NEWLINE)
        case "r" if not tail:
            return _Fate.CONTROL
        case _:
            return _Fate.DAMAGED


def _fate_of_tail(tail: str, damaged: Sequence[str], unsure: frozenset[str]) -> _Fate:
    if tail in damaged:
        return _Fate.DAMAGED
    return _Fate.UNSURE if tail in unsure else _Fate.MEANT
