"""The text of a Python file with its syntax tree, its tokens, and where they stand in the text."""

import ast
import io
import keyword
import string
import tokenize
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from compiler.merge.markers import split_lines

__all__ = ["INDENT", "LogicalLine", "Meaning", "PythonSource", "Token", "Unreadable", "compiles"]

Meaning = tuple[str | tuple[str, str], ...]
"""Tokens without layout: equal meanings are the same code, with the same comments."""

INDENT = "    "
_LAYOUT = {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
# Since Python 3.12 the quotes of a formatted string, and since 3.14 of a template, are tokens.
_QUOTES = ("STRING", "FSTRING_START", "FSTRING_END", "TSTRING_START", "TSTRING_END")
_QUOTED = {getattr(tokenize, name) for name in _QUOTES if hasattr(tokenize, name)}
_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Unreadable(Exception):
    """A text is not Python, or is Python in a form that is merged by lines."""


class Token(NamedTuple):
    """A token and its place, in characters from the start of the text."""

    kind: int
    text: str
    start: int
    end: int


class LogicalLine(NamedTuple):
    """A line as Python counts them: where it starts and ends, and how far it is indented."""

    start: int
    end: int
    column: int


def compiles(text: str) -> bool:
    """Whether Python accepts the text as a module."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<merge>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


class PythonSource:
    """A module's text, taken apart once."""

    def __init__(self, text: str) -> None:
        """Read the text; raises `Unreadable` where it does not compile."""
        # A lone carriage return ends a line for Python but not for us.
        if "\r" in text or "\f" in text or not compiles(text):
            raise Unreadable
        self.text = text
        self.tree = ast.parse(text)
        self._lines = split_lines(text)
        self._line_starts = [0, *accumulate(map(len, self._lines))]
        self.tokens = list(self._tokenize())
        self._token_starts = [token.start for token in self.tokens]

    def _tokenize(self) -> Iterator[Token]:
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            (first, left), (last, right) = token.start, token.end
            if first <= len(self._lines):
                start = self._line_starts[first - 1] + left
                end = min(self._line_starts[last - 1] + right, len(self.text))
                yield Token(token.type, token.string, start, end)

    def place(self, line: int, column: int) -> int:
        """The offset of a place that `ast` gives, whose column counts bytes."""
        text = self._lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self._line_starts[line - 1] + column

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias) -> tuple[int, int]:
        """Where a node starts and ends."""
        end = self.place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self.place(node.lineno, node.col_offset), end

    def line_start(self, offset: int) -> int:
        """Where the line of an offset starts."""
        return self.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Where the line of an offset ends, behind its line feed."""
        return self.text.find("\n", offset) + 1 or len(self.text)

    def indent(self, offset: int) -> str:
        """The blanks that the line of an offset starts with."""
        line = self.text[self.line_start(offset) : self.line_end(offset)]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def tokens_in(self, start: int, end: int) -> list[Token]:
        """The tokens that start in a stretch of the text, without those of layout."""
        first, last = (bisect_left(self._token_starts, offset) for offset in (start, end))
        return [token for token in self.tokens[first:last] if token.kind not in _LAYOUT]

    @property
    def code(self) -> str:
        """The text without its comments."""
        return " ".join(token.text for token in self.tokens if token.kind != tokenize.COMMENT)

    @property
    def unit(self) -> str:
        """The blanks that a first level of indentation takes."""
        units = (token.text for token in self.tokens if token.kind == tokenize.INDENT)
        return next(units, INDENT)

    def with_unit(self, unit: str) -> str:
        """The text, indented by `unit` where it is by `INDENT`; what strings hold stays."""
        texts: list[str] = []
        inside = 0
        long = [token for token in self.tokens if "\n" in token.text and token.kind not in _LAYOUT]
        for start, line in zip(self._line_starts, self._lines, strict=False):
            while inside < len(long) and long[inside].end <= start:
                inside += 1
            code = line.lstrip(" ")
            levels, rest = divmod(len(line) - len(code), len(INDENT))
            held = inside < len(long) and long[inside].start < start
            texts.append(line if held else unit * levels + " " * rest + code)
        return "".join(texts)

    def logical_lines(self, start: int, end: int) -> list[LogicalLine]:
        """The logical lines that start in a stretch of the text."""
        return [line for line in self._logical_lines if start <= line.start < end]

    @cached_property
    def _logical_lines(self) -> list[LogicalLine]:
        lines: list[LogicalLine] = []
        first: Token | None = None
        for token in self.tokens:
            if token.kind == tokenize.NEWLINE and first is not None:
                column = first.start - self.line_start(first.start)
                lines.append(LogicalLine(first.start, self.line_end(token.start), column))
                first = None
            elif first is None and token.kind not in _LAYOUT | {tokenize.COMMENT}:
                first = token
        return lines

    @cached_property
    def brackets(self) -> dict[int, int]:
        """Where each bracket's partner starts, in both directions."""
        partners: dict[int, int] = {}
        waiting: list[int] = []
        for token in self.tokens:
            if token.kind != tokenize.OP:
                continue
            if token.text in _CLOSING:
                waiting.append(token.start)
            elif token.text in _CLOSING.values() and waiting:
                opening = waiting.pop()
                partners |= {opening: token.start, token.start: opening}
        return partners

    def opening(self, start: int, end: int) -> int:
        """Where the first round bracket of a stretch stands that is inside no other bracket."""
        inner = start
        for token in self.tokens_in(start, end):
            if token.start >= inner and token.text == "(":
                return token.start
            inner = max(inner, self.brackets.get(token.start, inner))
        raise Unreadable

    def commas(self, opening: int) -> list[int]:
        """Where the commas stand that part what a bracket holds."""
        found: list[int] = []
        inner = opening
        for token in self.tokens_in(opening + 1, self.brackets[opening]):
            if token.start < inner or token.kind != tokenize.OP:
                continue
            if token.text in _CLOSING:
                inner = self.brackets[token.start]
            elif token.text == ",":
                found.append(token.start)
        return found

    @cached_property
    def _idle_commas(self) -> set[int]:
        """The commas that may stand behind a last element and change nothing."""
        idle: set[int] = set()
        before = Token(tokenize.OP, "", 0, 0)
        code = [token for token in self.tokens_in(0, len(self.text)) if token.text[:1] != "#"]
        for token in code:
            if token.kind == tokenize.OP and token.text in _CLOSING:
                commas = self.commas(token.start)
                name = before.kind == tokenize.NAME and not keyword.iskeyword(before.text)
                applied = name or before.text in _CLOSING.values()
                if commas and (len(commas) > 1 or applied == (token.text == "(")):
                    last = commas[-1]
                    rest = self.tokens_in(last + 1, self.brackets[token.start])
                    if all(other.kind == tokenize.COMMENT for other in rest):
                        idle.add(last)
            before = token
        return idle

    def meaning(self, start: int, end: int) -> Meaning:
        """What a stretch says, whatever its layout; a string by its value."""
        return tuple(
            _said(token)
            for token in self.tokens_in(start, end)
            if not (token.text == "," and token.start in self._idle_commas)
        )


def _said(token: Token) -> str | tuple[str, str]:
    if token.kind == tokenize.COMMENT:
        return ("#", token.text)
    if token.kind == tokenize.STRING and "f" not in _opened(token.text)[0]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ("value", repr(ast.literal_eval(token.text)))
    if token.kind in _QUOTED:
        # A formatted string says the same between quotes of the other kind.
        prefix, quote = _opened(token.text)
        return (f"{prefix}string", token.text[len(prefix + quote) :].removesuffix(quote))
    return token.text


def _opened(text: str) -> tuple[str, str]:
    """The letters before a string, in lower case, and its quote."""
    body = text.lstrip(string.ascii_letters)
    quote = body[:3] if body[:3] in {'"""', "'''"} else body[:1]
    return text[: len(text) - len(body)].lower(), quote
