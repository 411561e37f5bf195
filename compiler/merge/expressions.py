"""Expressions taken apart: calls, literals, and what stands between their brackets."""

import ast
import tokenize
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from typing import NamedTuple

from compiler.merge.nodes import Brackets, Item, Leaf, Node, Record
from compiler.merge.python_source import PythonSource

__all__ = ["Element", "Inside", "inside", "read_brackets", "read_code", "read_expression"]


class Element(NamedTuple):
    """What the syntax tree knows of an element: its identity, and a value inside it."""

    start: int
    kind: str
    key: Hashable = None
    value: ast.expr | None = None


def read_expression(source: PythonSource, node: ast.expr) -> Node:
    """Take an expression apart as far as its parts may change one by one."""
    start, end = source.span(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return Leaf(source, start, end, by_lines="\n" in source.text[start:end])
    return read_code(source, node, start, end)


def read_code(source: PythonSource, node: ast.AST, start: int, end: int) -> Node:
    """Take a stretch of code apart that `node` holds: the brackets in it, and what is around them.

    The brackets are those of calls and of literals; what they hold may change entry by entry.
    """
    slots: list[Node] = []
    done = start
    for opening, holder in _outermost(source, node, start, end):
        brackets = read_brackets(source, *_entries(source, holder), inside(source, opening))
        if brackets is not None:
            slots += (Leaf(source, done, opening), brackets)
            done = source.brackets[opening] + 1
    rest = Leaf(source, done, end)
    return Record("code", (*slots, rest)) if slots else rest


_Literal = ast.Dict | ast.List | ast.Tuple | ast.Set


def _outermost(
    source: PythonSource, node: ast.AST, start: int, end: int
) -> Iterator[tuple[int, ast.Call | _Literal]]:
    """Where the brackets of calls and literals open that are inside no others, in order."""
    if isinstance(node, ast.expr):
        first, last = source.span(node)
        if first >= end or last <= start:
            return
        if isinstance(node, ast.Call):
            yield from _outermost(source, node.func, start, end)
            yield source.brackets[last - 1], node
            return
        if isinstance(node, _Literal) and source.brackets.get(first) == last - 1:
            yield first, node
            return
    # Python gives no true places inside an f-string.
    if not isinstance(node, ast.JoinedStr):
        children = [_outermost(source, child, start, end) for child in ast.iter_child_nodes(node)]
        yield from sorted(chain.from_iterable(children), key=itemgetter(0))


def _entries(source: PythonSource, node: ast.Call | _Literal) -> tuple[str, list[Element]]:
    if isinstance(node, ast.Call):
        return "call", _arguments(source, node)
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return "dict", [_entry(source, key, value) for key, value in pairs]
    elements = [Element(source.span(item)[0], "element", None, item) for item in node.elts]
    return type(node).__name__.lower(), elements


def _arguments(source: PythonSource, node: ast.Call) -> list[Element]:
    elements = [Element(source.span(item)[0], "positional", None, item) for item in node.args]
    for item in node.keywords:
        place = source.span(item)[0]
        if item.arg is None:
            elements.append(Element(place, "unpacked", ("**", ast.unparse(item.value))))
        else:
            elements.append(Element(place, "keyword", ("keyword", item.arg), item.value))
    return elements


def _entry(source: PythonSource, key: ast.expr | None, value: ast.expr) -> Element:
    if key is None:
        place, _ = source.span(value)
        return Element(place, "unpacked", ("**", ast.unparse(value)))
    return Element(source.span(key)[0], "entry", ("entry", ast.unparse(key)), value)


class Inside(NamedTuple):
    """Where elements stand, the commas between them, and the brackets around them, if any."""

    start: int
    end: int
    commas: list[int]
    opening: str = ""
    closing: str = ""


class _Gap(NamedTuple):
    """What stands before an element, or before the closing bracket."""

    trail: str
    own_line: bool
    lead: str
    indent: str


def inside(source: PythonSource, opening: int) -> Inside:
    """Where the elements stand between the brackets that open at a place."""
    closing = source.brackets[opening]
    texts = (source.text[opening], source.text[closing])
    return Inside(opening + 1, closing, source.commas(opening), *texts)


def read_brackets(
    source: PythonSource, kind: str, elements: Sequence[Element], where: Inside
) -> Brackets | None:
    """Take apart what stands between brackets; None for a layout that cannot be put together."""
    gaps, cores = _gaps_and_cores(source, where)
    items = _items(source, elements, cores, gaps)
    held = source.text[where.start : where.end]
    brackets = Brackets(
        kind=kind,
        opening=where.opening,
        closing=where.closing,
        items=items,
        text=where.opening + held + where.closing,
        meaning=source.meaning(where.start, where.end),
        line_indent=source.indent(where.start),
        head=gaps[0].trail,
        tail=gaps[-1].lead,
        close_indent=gaps[-1].indent,
        close_own_line=gaps[-1].own_line,
        trailing_comma=bool(items) and len(where.commas) == len(items),
    )
    whole = _together(brackets) == brackets.text and len(elements) == len(items)
    return brackets if whole else None


def _gaps_and_cores(
    source: PythonSource, where: Inside
) -> tuple[list[_Gap], list[tuple[int, int]]]:
    """What stands before each element and behind the last one, and where the elements stand."""
    gaps: list[_Gap] = []
    cores: list[tuple[int, int]] = []
    after = where.start
    for stop in [*where.commas, where.end]:
        code = [t for t in source.tokens_in(after, stop) if t.kind != tokenize.COMMENT]
        if not code:
            break
        gaps.append(_gap(source.text[after : code[0].start]))
        cores.append((code[0].start, code[-1].end))
        after = stop + 1 if stop != where.end else cores[-1][1]
    return [*gaps, _gap(source.text[after : where.end])], cores


def _gap(text: str) -> _Gap:
    first, line_feed, rest = text.partition("\n")
    if not line_feed:
        return _Gap("", own_line=False, lead="", indent=text)
    lead, cut, indent = rest.rpartition("\n")
    return _Gap(first, own_line=True, lead=lead + cut, indent=indent)


def _items(
    source: PythonSource,
    elements: Sequence[Element],
    cores: list[tuple[int, int]],
    gaps: list[_Gap],
) -> tuple[Item, ...]:
    known = sorted(elements, key=lambda element: element.start)
    return tuple(
        Item(
            kind=element.kind,
            key=element.key,
            named=element.key is not None,
            core=_core(source, element, *core),
            lead=before.lead,
            indent=before.indent,
            trail=behind.trail,
            own_line=before.own_line,
        )
        for element, core, (before, behind) in zip(known, cores, pairwise(gaps), strict=False)
    )


def _core(source: PythonSource, element: Element, start: int, end: int) -> Node:
    if element.value is None:
        return Leaf(source, start, end)
    first, last = source.span(element.value)
    if first < start or last > end:
        return Leaf(source, start, end)
    value = read_expression(source, element.value)
    if (first, last) == (start, end):
        return value
    return Record(element.kind, (Leaf(source, start, first), value, Leaf(source, last, end)))


def _together(brackets: Brackets) -> str:
    """The text of brackets from its parts, to see that nothing of it was missed."""
    texts = [brackets.opening, brackets.head]
    count = len(brackets.items)
    for number, item in enumerate(brackets.items, start=1):
        comma = "," if number < count or brackets.trailing_comma else ""
        line = "\n" if item.own_line else ""
        texts += [line, item.lead, item.indent, item.core.text, comma, item.trail]
    line = "\n" if brackets.close_own_line else ""
    texts += [line, brackets.tail, brackets.close_indent, brackets.closing]
    return "".join(texts)
