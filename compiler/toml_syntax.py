"""Says what is wrong with a text that `tomllib` refuses, and what to write instead."""

import re
import tomllib
from typing import NamedTuple

from compiler.diagnostics import Report, Span
from compiler.source import SourceFile
from compiler.toml_duplicates import check_duplicates, written_key
from compiler.toml_spans import Break, Reason, Scalar, Scan
from compiler.toml_strings import excerpt

__all__ = ["explain_refusal", "quoted"]

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_REDEFINITION = re.compile(r"Cannot (?:overwrite|declare|redefine|mutate)|Duplicate")
_LEADING_ZERO = re.compile(r"([+-]?)0+(\d[\d_]*)")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"[+-]?(?:\.?\d)[\d_.,]*(?:[eE][+-]?\d*)?|[+-]?0[xob]\w*")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?\b.*|\d\d?:\d\d\b.*")
_LINE_ENDS = (",", ";")  # of JSON, Python and other languages
_WORDS_FOR_TRUE = frozenset({"true", "yes", "on"})
_WORDS_FOR_FALSE = frozenset({"false", "no", "off"})
_WORDS_FOR_NOTHING = frozenset({"none", "null", "nil"})

# Message, label and hint of the breaks that need no words of the text.
_FIXED_WORDS: dict[Reason, tuple[str, str | None, str]] = {
    Reason.NO_VALUE: (
        "no value here",
        "a value is missing",
        "write a value, or leave the line out",
    ),
    Reason.NO_COMMA: ("no comma between two items", "a comma is missing before this", ""),
    Reason.PAIR_IN_ARRAY: (
        "`key = value` in a list",
        None,
        "a table is written `{ key = value }`",
    ),
    Reason.OPEN_ARRAY: ("this `[` is never closed", None, "close the list with `]`"),
    Reason.OPEN_TABLE: (
        "this `{` is never closed",
        None,
        "close the table with `}`, in the same line",
    ),
    Reason.TABLE_NEWLINE: (
        "a table in braces goes over several lines",
        None,
        "write it in one line, or as a `[table]` of its own",
    ),
    Reason.TABLE_COMMA: ("a comma before `}`", None, "leave out the last comma"),
}


class _Finding(NamedTuple):
    code: str
    message: str
    span: Span
    label: str | None = None
    hints: tuple[str, ...] = ()


def explain_refusal(
    source: SourceFile, text: str, found: Scan, error: Exception, report: Report
) -> None:
    """Report everything that made `tomllib` refuse a text, at most one syntax error a line.

    `text` is that of the source, but for what was reported before.
    """
    told = {
        source.line_and_column(finding.place.span.start)[0]
        for finding in report.diagnostics
        if finding.place
    }
    if not found.breaks or found.breaks[0].reason is not Reason.TOO_DEEP:
        check_duplicates(source, found.definitions, report)
    findings = [
        _explain_scalar(source, text, scalar)
        for scalar in found.scalars
        if not _is_value(text[scalar.span.start : scalar.span.end])
    ]
    findings += [_explain_break(text, broken) for broken in found.breaks]
    refused = _explain_error(text, error)
    if not _is_explained(error, refused, findings, report):
        findings.append(refused)
    for finding in findings:
        line, _ = source.line_and_column(finding.span.start)
        if line not in told:
            place = source.place(finding.span)
            report.error(
                finding.code, finding.message, place, label=finding.label, hints=finding.hints
            )
        told.add(line)


def quoted(text: str) -> str:
    """Write a text as a TOML string, in single quotes where it has backslashes or quotes."""
    if "\\" not in text and '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _is_value(written: str) -> bool:
    try:
        tomllib.loads(f"value = {written}")
    except (ValueError, RecursionError):
        return False
    return True


def _is_explained(
    error: Exception, refused: _Finding, findings: list[_Finding], report: Report
) -> bool:
    """Whether a cause was found; `tomllib` stops at its first, so what is after it is another."""
    if isinstance(error, RecursionError):
        return any(finding.code == "too-deep" for finding in findings)
    if _REDEFINITION.search(str(error)):
        return any(finding.code == "duplicate-key" for finding in report.diagnostics)
    return any(finding.span.start <= refused.span.start for finding in findings)


def _explain_error(text: str, error: Exception) -> _Finding:
    message = str(error)
    if isinstance(error, RecursionError):
        return _too_deep(Span(0, 0))
    place = _PLACE.search(message)
    offset = len(text)
    if place and place[1]:
        lines = text.split("\n")
        offset = sum(len(line) + 1 for line in lines[: int(place[1]) - 1]) + int(place[2]) - 1
    reason = _PLACE.sub("", message)
    reason = reason[:1].lower() + reason[1:]
    hint = "write the character itself" if "Unicode scalar" in reason else None
    offset = min(offset, len(text))
    span = Span(offset, offset + 1)
    hints = (hint,) if hint else ()
    return _Finding("toml-syntax", f"this is not TOML: {reason}", span, hints=hints)


def _too_deep(span: Span) -> _Finding:
    message = "lists, tables or dotted keys are nested more than 64 deep"
    return _Finding("too-deep", message, span, hints=("no spec needs more than about six",))


def _explain_scalar(source: SourceFile, text: str, scalar: Scalar) -> _Finding:
    written = text[scalar.span.start : scalar.span.end]
    key = written_key(scalar.path)
    shown = excerpt(written, 60)
    as_text = f"write `{excerpt(quoted(written), 200)}` for the text"
    if written[-1:] in _LINE_ENDS and _is_value(written[:-1]):
        message, hint = _words_for_rest(written[-1])
        span = Span(scalar.span.end - 1, scalar.span.end)
        return _Finding("toml-syntax", message, span, hints=(hint,))
    if written.startswith("`") and written.endswith("`") and len(written) > 1:
        as_text = f"write `{excerpt(quoted(written[1:-1]), 200)}`: TOML has no backtick quotes"
    if _DATE.fullmatch(written):
        message = f"`{key}` looks like a date or a time, but `{shown}` is none"
        return _Finding("date-value", message, scalar.span, hints=(as_text,))
    if number := _explain_number(written, shown, as_text, scalar.span):
        return number
    inner = re.match(r"""[^"'=]*?\s+[\w."'-]+[ \t]*=""", written)
    if inner:
        message = "two keys in one line"
        hint = "give each key a line of its own; in `{ }`, put a comma between them"
        return _Finding("toml-syntax", message, scalar.span, hints=(hint,))
    line, _ = source.line_and_column(scalar.span.start)
    message = f"the value of `{key}` in line {line} is text without quotes: `{shown}`"
    hints = (*_word_hints(written), as_text)
    if written.lower() in _WORDS_FOR_NOTHING:
        hints = ("leave the key out: TOML has no empty value", as_text)
    return _Finding("unquoted-text", message, scalar.span, hints=hints)


def _word_hints(written: str) -> tuple[str, ...]:
    if written.lower() in _WORDS_FOR_TRUE:
        return ("write `true` for the switch",)
    if written.lower() in _WORDS_FOR_FALSE:
        return ("write `false` for the switch",)
    return ()


def _explain_number(written: str, shown: str, as_text: str, span: Span) -> _Finding | None:
    if zero := _LEADING_ZERO.fullmatch(written):
        message = f"`{shown}` is not a TOML number: it has leading zeros"
        number = f"write `{zero[1]}{zero[2].lstrip('0') or '0'}` for the number"
        return _Finding("bad-number", message, span, hints=(number, as_text))
    if _THOUSANDS.fullmatch(written):
        message = f"`{shown}` is not a TOML number: it has commas"
        number = f"write `{written.replace(',', '_')}` for the number"
        return _Finding("bad-number", message, span, hints=(number, as_text))
    if written.lstrip("+-").isdecimal():
        message = f"`{shown}` is a whole number beyond 64 bits"
        return _Finding("bad-number", message, span, hints=("write a smaller number",))
    if _NUMBER.fullmatch(written):
        message = f"`{shown}` is not a TOML number"
        try:
            number = f"write `{float(written.replace(',', '.').strip('_'))!r}` for the number"
        except ValueError:
            return _Finding("bad-number", message, span, hints=(as_text,))
        return _Finding("bad-number", message, span, hints=(number, as_text))
    return None


def _explain_break(text: str, broken: Break) -> _Finding:
    span = broken.span
    line_end = text.find("\n", span.end)
    rest = text[span.end : len(text) if line_end < 0 else line_end]
    if broken.reason is Reason.TOO_DEEP:
        return _too_deep(span)
    message, label, hint = _words_for_break(broken.reason, text[span.start : span.end], rest)
    return _Finding("toml-syntax", message, span, label, (hint,) if hint else ())


def _words_for_break(reason: Reason, written: str, rest: str) -> tuple[str, str | None, str]:
    shown = excerpt(written, 60)
    words = _FIXED_WORDS.get(reason, ("nested too deep", None, ""))
    match reason:
        case Reason.BAD_KEY:
            words = _words_for_bad_key(shown)
        case Reason.NO_EQUALS if rest.lstrip().startswith(":"):
            words = ("`:` after a key, where TOML has `=`", None, f"write `{shown} = ...`")
        case Reason.NO_EQUALS:
            message = f"`{shown}` stands without `=` and a value"
            words = (message, None, "write `key = value`; a comment begins with `#`")
        case Reason.NO_VALUE if "#" in rest:
            hint = f"`#` begins a comment: write `{quoted(rest.strip())}` if it is the value"
            words = ("no value here", "a value is missing", hint)
        case Reason.TEXT_AFTER:
            words = _words_for_text_after(shown)
        case Reason.OPEN_STRING:
            quotes = written[:3] if written[:3] in {'"""', "'''"} else written[:1]
            message = f"the text that begins here with `{quotes}` is never closed"
            lines = "text over several lines stands between `'''` and `'''`"
            words = (message, None, f"close it with `{quotes}`; {lines}")
        case Reason.OPEN_HEADER:
            words = (f"the table header `{shown}` is never closed", None, "write `[name]`")
        case _:
            pass
    return words


def _words_for_bad_key(shown: str) -> tuple[str, str | None, str]:
    name = shown.rstrip(":")
    if name and shown.endswith(":"):
        return f"`:` after the key `{name}`, where TOML has `=`", None, f"write `{name} = ...`"
    if name.startswith(('"""', "'''")):
        return "a key cannot stand in triple quotes", None, "use one pair of quotes"
    if not any(character.isalnum() for character in name):
        return f"`{shown}` stands where a key is expected", None, "write `key = value`"
    hint = f"quote it: `{quoted(name)}`"
    return f"the key `{shown}` has characters that need quotes", None, hint


def _words_for_text_after(shown: str) -> tuple[str, str | None, str]:
    if shown.rstrip("\"'") != shown or '"' in shown:
        message = f"a quote inside the text ended it: `{shown}` is left over"
        hint = "put the text between `'''` and `'''`, where quotes are only characters"
        return message, None, hint
    message, hint = _words_for_rest(shown)
    return message, None, hint


def _words_for_rest(shown: str) -> tuple[str, str]:
    message = f"`{shown}` stands after the end of this statement"
    if shown in _LINE_ENDS:
        return message, f"leave it out: no statement of TOML ends in `{shown}`"
    return message, "one statement a line; a comment begins with `#`"
