"""`# lint: ignore[CODE] reason`: a finding that its owner knows of, left out."""

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compiler.diagnostics import Diagnostic, Severity, Span
from compiler.explanation import explained_codes
from compiler.lint.folder import Linted
from compiler.source import SourceFile

__all__ = ["without_suppressed"]

_COMMENT = re.compile(r"#\s*lint:\s*ignore\[([^\]]*)\][ \t]*([^\n#]*)")
_COMMENTED = (".py", ".toml", ".txt", ".yml", ".yaml", ".sh", ".cfg")


class _Suppression(NamedTuple):
    """One comment: where it stands, the codes that it names, and why."""

    source: SourceFile
    line: int
    span: Span
    codes: tuple[str, ...]
    reason: str


def without_suppressed(linted: Linted, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Leave out each finding on whose line a comment names its code and a reason.

    A comment without a reason hides nothing, and is a finding itself; so is one that hides nothing,
    for it would hide what comes there later.
    """
    comments = list(_suppressions(linted))
    used: set[tuple[_Suppression, str]] = set()
    kept: list[Diagnostic] = []
    sources = linted.sources
    for diagnostic in found:
        place = diagnostic.place
        source = None if place is None else sources.get(place.file)
        line = 0 if source is None or place is None else source.line_and_column(place.span.start)[0]
        hits = {
            (comment, diagnostic.code)
            for comment in comments
            if (comment.source.name, comment.line) == ("" if place is None else place.file, line)
            and diagnostic.code in comment.codes
        }
        used |= hits
        if not any(comment.reason for comment, _ in hits):
            kept.append(diagnostic)
    return kept + [each for comment in comments for each in _faults(comment, used)]


def _faults(comment: _Suppression, used: set[tuple[_Suppression, str]]) -> Iterator[Diagnostic]:
    place = comment.source.place(comment.span)
    if not comment.reason:
        message = "a comment that leaves out a finding says why"
        hints = ("write `# lint: ignore[CODE] REASON`",)
        yield Diagnostic("bad-suppression", Severity.WARNING, message, place, None, hints)
    for code in comment.codes:
        if code not in explained_codes():
            message = f"there is no finding `{code}`"
        elif (comment, code) not in used:
            message = f"there is no `{code}` on this line to leave out"
        else:
            continue
        hints = ("remove it",)
        yield Diagnostic("bad-suppression", Severity.WARNING, message, place, None, hints)


def _suppressions(linted: Linted) -> Iterator[_Suppression]:
    for name, source in linted.sources.items():
        if not name.endswith(_COMMENTED) or _COMMENT.search(source.text) is None:
            continue
        spans = _python_comments(source) if name.endswith(".py") else [Span(0, len(source.text))]
        for span in spans:
            for found in _COMMENT.finditer(source.text, *span):
                codes = tuple(code.strip() for code in found[1].split(",") if code.strip())
                line, _ = source.line_and_column(found.start())
                yield _Suppression(source, line, Span(*found.span()), codes, found[2].strip())


def _python_comments(source: SourceFile) -> list[Span]:
    """Give the comments of a Python file; none where it is broken."""
    starts = [0, *(end.end() for end in re.finditer("\n", source.text))]
    try:
        return [
            Span(
                starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1]
            )
            for token in tokenize.generate_tokens(io.StringIO(source.text).readline)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError, IndexError):
        return []
