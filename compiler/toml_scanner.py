"""Walks a TOML text, broken or not, and notes what stands where."""

import re
import tomllib
from typing import NoReturn

from compiler.diagnostics import Span
from compiler.toml_spans import (
    UNKNOWN_TABLE,
    Break,
    Definition,
    KeyPart,
    KeyPath,
    Kind,
    Reason,
    Scalar,
    Scan,
)

__all__ = ["STRING", "scan"]

# Deeper than any spec, and far from where the recursion of tomllib or of pydantic would end.
DEPTH_LIMIT = 64

STRING = re.compile(
    r'"""(?:[^"\\]++|\\[\s\S]|"(?!""))*+"""(?:"{1,2})?'
    r"|'''(?:[^']++|'(?!''))*+'''(?:'{1,2})?"
    r'|"(?!"")(?:[^"\\\n]++|\\[^\n])*+"'
    r"|'(?!'')[^'\n]*+'"
)
_SPACE = re.compile(r"[ \t]*+")
_BLANK = re.compile(r"(?:[ \t\n]++|#[^\n]*+)*+")
_LINE_REST = re.compile(r"[^\n]*+")
_KEY_RUN = re.compile(r"""[^\s=.\[\]{},#"']++""")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]++")
_TOP_SCALAR = re.compile(r"[^#\n]*+")
_INNER_SCALAR = re.compile(r"[^#\n,\]}]*+")
# Where the next statement begins after a broken one; a text, for most specs have none.
_STATEMENT = r"""(?m)^[ \t]*(?:\[{1,2}[\w."' \t-]+(?:\]{1,2}[ \t]*)?(?:\#|$)|["'\w][\w."' \t-]*=)"""


def scan(text: str) -> Scan:
    """Walk any text; where `tomllib` accepts it, `breaks` is empty and nothing is left out."""
    scanner = _Scanner(text)
    while scanner.position < len(text):
        scanner.line()
    return scanner.found


class _BrokenError(Exception):
    def __init__(self, broken: Break, resume: int) -> None:
        super().__init__(broken.reason)
        self.broken = broken
        self.resume = resume


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.found = Scan()
        self.table: KeyPath = ()
        self.array_lengths: dict[KeyPath, int] = {}

    def line(self) -> None:
        start, found = self.position, self.found
        parts = (found.definitions, found.elements, found.scalars, found.breaks)
        marks = [len(part) for part in parts]
        try:
            self.statement()
        except _BrokenError as error:
            # What stands in a broken statement is not known: only its strings are kept.
            for part, mark in zip(parts, marks, strict=True):
                del part[mark:]
            found.breaks.append(error.broken)
            line_after = self.line_end(max(start, error.broken.span.start)) + 1
            following = re.compile(_STATEMENT).search(self.text, error.resume or line_after)
            self.position = following.start() if following else len(self.text)

    def statement(self) -> None:
        self.skip(_SPACE)
        if self.peek() == "[":
            self.header()
        elif self.peek() not in {"", "\n", "#"}:
            self.pair(self.table, _TOP_SCALAR, 0)
        self.skip(_SPACE)
        rest = _LINE_REST.match(self.text, self.position)
        end = rest.end() if rest else self.position
        if self.position < end and self.peek() != "#":
            self.fail(Reason.TEXT_AFTER, self.position, end)
        self.position = end + 1

    def header(self) -> None:
        start = self.position
        in_array = self.text.startswith("[[", start)
        closing = "]]" if in_array else "]"
        self.position += len(closing)
        self.table = (UNKNOWN_TABLE,)
        names = self.key()
        if not self.text.startswith(closing, self.position):
            self.fail(Reason.OPEN_HEADER, start, self.line_end(start))
        self.position += len(closing)
        path: KeyPath = ()
        parts: list[KeyPart] = []
        for name, span in names:
            if path in self.array_lengths:
                path = (*path, self.array_lengths[path] - 1)
            path = (*path, name)
            parts.append(KeyPart(path, span))
        if in_array:
            self.array_lengths[path] = self.array_lengths.get(path, 0) + 1
            path = (*path, self.array_lengths[path] - 1)
        self.table = path
        kind = Kind.ARRAY if in_array else Kind.TABLE
        header = Span(start, self.position)
        self.found.definitions.append(Definition(kind, tuple(parts), header, path))

    def pair(self, base: KeyPath, scalar: re.Pattern[str], depth: int) -> None:
        start = self.position
        names = self.key()
        end = names[-1][1].end
        if self.peek() != "=":
            self.fail(Reason.NO_EQUALS, start, end)
        self.position += 1
        parts: list[KeyPart] = []
        for name, span in names:
            base = (*base, name)
            parts.append(KeyPart(base, span))
        self.skip(_SPACE)
        value = self.value(base, scalar, depth)
        self.found.definitions.append(Definition(Kind.PAIR, tuple(parts), value, base))

    def key(self) -> list[tuple[str, Span]]:
        names: list[tuple[str, Span]] = []
        start = self.position
        while True:
            self.skip(_SPACE)
            names.append(self.key_part())
            self.skip(_SPACE)
            if len(names) > DEPTH_LIMIT:
                self.fail(Reason.TOO_DEEP, start, self.position)
            if self.peek() != ".":
                return names
            self.position += 1

    def key_part(self) -> tuple[str, Span]:
        start = self.position
        if self.peek() in {'"', "'"}:
            if self.text.startswith(('"""', "'''"), start):
                self.fail(Reason.BAD_KEY, start, self.line_end(start))
            span = self.string()
            return _unquote(self.text[span.start : span.end]), span
        run = _KEY_RUN.match(self.text, start)
        if run is None:
            self.fail(Reason.BAD_KEY, start, start + 1)
        self.position = run.end()
        if _BARE_KEY.fullmatch(run[0]) is None:
            self.fail(Reason.BAD_KEY, start, run.end())
        return run[0], Span(start, run.end())

    def value(self, path: KeyPath, scalar: re.Pattern[str], depth: int) -> Span:
        start = self.position
        if depth > DEPTH_LIMIT:
            self.fail(Reason.TOO_DEEP, start, start + 1, len(self.text))
        match self.peek():
            case '"' | "'":
                return self.string()
            case "[":
                self.array(path, depth)
            case "{":
                self.inline_table(path, depth)
            case _:
                run = scalar.match(self.text, start)
                written = run[0].rstrip(" \t") if run else ""
                self.position = start + len(written)
                if not written:
                    self.fail(Reason.NO_VALUE, start, start)
                self.found.scalars.append(Scalar(path, Span(start, self.position)))
        return Span(start, self.position)

    def array(self, path: KeyPath, depth: int) -> None:
        start = self.position
        self.position += 1
        for index in range(len(self.text)):
            self.skip(_BLANK)
            if self.peek() == "]":
                break
            if not self.peek():
                self.fail(Reason.OPEN_ARRAY, start, start + 1, self.position)
            at = self.position
            span = self.value((*path, index), _INNER_SCALAR, depth + 1)
            if "=" in self.text[at : self.position] and self.text[at] not in "\"'[{":
                self.fail_open(Reason.PAIR_IN_ARRAY, Reason.OPEN_ARRAY, start, at)
            self.found.elements.append(((*path, index), span))
            self.skip(_BLANK)
            if self.peek() == "]":
                break
            if self.peek() != ",":
                self.fail_open(Reason.NO_COMMA, Reason.OPEN_ARRAY, start, self.position)
            self.position += 1
        self.position += 1

    def inline_table(self, path: KeyPath, depth: int) -> None:
        start = self.position
        self.position += 1
        after_comma = False
        while True:
            self.skip_in_table(start)
            if self.peek() == "}":
                if after_comma:
                    broken = Break(Reason.TABLE_COMMA, Span(self.position, self.position + 1))
                    self.found.breaks.append(broken)
                break
            if self.peek() in {"", "["}:
                self.fail(Reason.OPEN_TABLE, start, start + 1, self.position)
            self.pair(path, _INNER_SCALAR, depth + 1)
            self.skip_in_table(start)
            if self.peek() == "}":
                break
            if self.peek() != ",":
                self.fail_open(Reason.NO_COMMA, Reason.OPEN_TABLE, start, self.position)
            after_comma = True
            self.position += 1
        self.position += 1

    def skip_in_table(self, start: int) -> None:
        before = self.position
        self.skip(_BLANK)
        if "\n" in self.text[before : self.position] and self.position < len(self.text):
            self.found.breaks.append(Break(Reason.TABLE_NEWLINE, Span(start, start + 1)))

    def string(self) -> Span:
        start = self.position
        token = STRING.match(self.text, start)
        if token is None:
            triple = self.text.startswith(('"""', "'''"), start)
            resume = len(self.text) if triple else 0
            self.fail(Reason.OPEN_STRING, start, self.line_end(start), resume)
        self.position = token.end()
        span = Span(start, token.end())
        self.found.strings.append(span)
        return span

    def peek(self) -> str:
        return self.text[self.position : self.position + 1]

    def skip(self, pattern: re.Pattern[str]) -> None:
        skipped = pattern.match(self.text, self.position)
        self.position = skipped.end() if skipped else self.position

    def line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    @staticmethod
    def fail(reason: Reason, start: int, end: int, resume: int = 0) -> NoReturn:
        raise _BrokenError(Break(reason, Span(start, end)), resume)

    def fail_open(self, here: Reason, unclosed: Reason, start: int, at: int) -> NoReturn:
        """Blame the place itself, or the bracket above where a new statement seems to begin."""
        if self.text.find("\n", start, at) < 0 or self.text[at : at + 1] in {'"', "'"}:
            reason = here if at < len(self.text) else unclosed
            self.fail(reason, *((at, at + 1) if reason is here else (start, start + 1)))
        line_start = self.text.rfind("\n", 0, at) + 1
        self.fail(unclosed, start, start + 1, line_start)


def _unquote(token: str) -> str:
    if token[0] == "'" or "\\" not in token:
        return token[1:-1]
    try:
        return tomllib.loads(f"key = {token}")["key"]
    except ValueError:
        return token[1:-1]
