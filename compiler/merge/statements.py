"""Statements taken apart: what a body holds, branch by branch, with the comments of each."""

import ast
from collections.abc import Hashable, Iterator, Sequence
from itertools import zip_longest

from compiler.merge.expressions import (
    Element,
    Inside,
    inside,
    read_brackets,
    read_code,
    read_expression,
)
from compiler.merge.nodes import Block, Item, Leaf, Node, Record
from compiler.merge.python_source import PythonSource, Unreadable

__all__ = ["read_module"]

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Branching = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.If, ast.For, ast.AsyncFor),
    *(ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar),
)


def read_module(source: PythonSource) -> Block:
    """Take a module apart; raises `Unreadable` where two statements share a line."""
    return _block(source, source.tree.body, 0, len(source.text))


def _block(source: PythonSource, body: Sequence[ast.stmt], start: int, end: int) -> Block:
    items: list[Item] = []
    for number, statement in enumerate(body):
        first, last = _extent(source, statement)
        if first < start or source.text[first : _start(source, statement)].strip():
            raise Unreadable
        kind, key, named = _identity(source, statement, first=number == 0)
        core = _statement(source, statement, first, last)
        items.append(Item(kind, key, named, core, lead=source.text[start:first]))
        start = last
    return Block(tuple(items), source.text[start:end])


def _start(source: PythonSource, statement: ast.stmt) -> int:
    """Where a statement starts, at the `@` of its first decorator if it has one."""
    if isinstance(statement, _Definition) and statement.decorator_list:
        place, _ = source.span(statement.decorator_list[0])
        return source.text.rindex("@", 0, place)
    return source.span(statement)[0]


def _extent(source: PythonSource, statement: ast.stmt) -> tuple[int, int]:
    """The whole lines of a statement, with the comments at the end of its body."""
    first = source.line_start(_start(source, statement))
    end = source.span(statement)[1]
    last = source.line_end(end - 1)
    children = list(_children(source, statement))
    if not children or not _on_own_lines(source, statement, children[-1]):
        rest = source.text[end:last].strip()
        if rest and not rest.startswith("#"):
            raise Unreadable
        return first, last
    return first, _body_end(source, children[-1])


def _on_own_lines(source: PythonSource, statement: ast.stmt, child: ast.stmt) -> bool:
    place = source.line_start(_start(source, child))
    inner, outer = (source.indent(_start(source, each)) for each in (child, statement))
    return len(inner) > len(outer) and not source.text[place : _start(source, child)].strip()


def _body_end(source: PythonSource, last: ast.stmt) -> int:
    """Where a body ends: behind its last statement and the comments as deep as it."""
    depth = len(source.indent(_start(source, last)))
    _, end = _extent(source, last)
    place = end
    while place < len(source.text):
        line = source.text[place : source.line_end(place)]
        place += len(line)
        if not line.strip():
            continue
        if not line.lstrip().startswith("#") or len(line) - len(line.lstrip()) < depth:
            break
        end = place
    return end


def _children(source: PythonSource, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements directly inside one; those of an `elif` are inside the `if`."""
    if not isinstance(statement, _Branching):
        return
    yield from statement.body
    for handler in getattr(statement, "handlers", ()):
        yield from handler.body
    match getattr(statement, "orelse", []):
        case [ast.If() as inner] if source.text.startswith("elif", source.span(inner)[0]):
            yield from _children(source, inner)
        case body:
            yield from body
    yield from getattr(statement, "finalbody", ())


def _statement(source: PythonSource, statement: ast.stmt, start: int, end: int) -> Node:
    children = list(_children(source, statement))
    on_own_lines = all(_on_own_lines(source, statement, child) for child in children)
    match statement:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            kind = "assign"
        case ast.Expr(value=value):
            kind = "value"
        case ast.Return(value=ast.expr() as value):
            kind = "return"
        case ast.ImportFrom():
            return _import(source, statement, start, end)
        case _ if children and on_own_lines:
            return _branches(source, statement, children, start, end)
        case _ if children or isinstance(statement, ast.Match):
            return Leaf(source, start, end, by_lines=True)
        case _:
            last = source.span(statement)[1]
            code = read_code(source, statement, start, last)
            return Record("statement", (code, Leaf(source, last, end)))
    first, last = source.span(value)
    value = read_expression(source, value)
    return Record(kind, (Leaf(source, start, first), value, Leaf(source, last, end)))


def _import(source: PythonSource, statement: ast.ImportFrom, start: int, end: int) -> Node:
    elements = [
        Element(source.span(alias)[0], "name", ("name", alias.name, alias.asname))
        for alias in statement.names
    ]
    code = source.tokens_in(start, source.span(statement)[1])
    first = next(number for number, token in enumerate(code) if token.text == "import") + 1
    opening, closing = code[first], code[-1]
    if opening.text == "(":
        where = inside(source, opening.start)
    else:
        commas = [token.start for token in code[first:] if token.text == ","]
        where = Inside(opening.start, closing.end, commas)
    names = read_brackets(source, "names", elements, where)
    if names is None:
        return Leaf(source, start, end)
    parts = (Leaf(source, start, opening.start), names, Leaf(source, closing.end, end))
    return Record("from", parts)


def _branches(
    source: PythonSource, statement: ast.stmt, children: list[ast.stmt], start: int, end: int
) -> Node:
    """A compound statement as a block of its branches, each a head and a body."""
    depth = len(source.indent(start))
    lines = [line for line in source.logical_lines(start, end) if line.column == depth]
    if isinstance(statement, _Definition):
        lines = [lines[-1]._replace(start=start)]
    items: list[Item] = []
    above = start
    for line, after in zip_longest(lines, lines[1:]):
        first = source.line_start(line.start)
        last = after.start if after else end
        body = [child for child in children if line.start < source.span(child)[0] < last]
        stop = _body_end(source, body[-1])
        head = _head(source, statement, first, line.end)
        core = Record("branch", (head, _block(source, body, line.end, stop)))
        word = source.tokens_in(first, stop)[0].text
        told = head.text.strip() if word in {"elif", "except"} else ""
        lead = source.text[above:first]
        key = ("branch", word if items else "", told)
        items.append(Item("branch", key, named=False, core=core, lead=lead))
        above = stop
    return Record("compound", (Block(tuple(items), ""),))


def _head(source: PythonSource, statement: ast.stmt, start: int, end: int) -> Node:
    """The lines of a branch above its body; of a function with its parameters one by one."""
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return read_code(source, statement, start, end)
    return _signature(source, statement, start, end)


def _signature(source: PythonSource, statement: ast.stmt, start: int, end: int) -> Node:
    opening = source.opening(source.span(statement)[0], end)
    elements: list[Element] = []
    after = opening + 1
    for comma in [*source.commas(opening), source.brackets[opening]]:
        names = [each.text for each in source.tokens_in(after, comma) if each.text[0] != "#"]
        if names:
            # A star alone is told by itself, one before a name by the name.
            starred = names[0] in {"*", "**"} and len(names) > 1
            key = ("parameter", names[1 if starred else 0])
            elements.append(Element(after, "parameter", key))
        after = comma + 1
    parameters = read_brackets(source, "parameters", elements, inside(source, opening))
    if parameters is None:
        return Leaf(source, start, end)
    closing = source.brackets[opening] + 1
    slots = (
        *(read_code(source, statement, start, opening), parameters),
        Leaf(source, closing, end),
    )
    return Record("signature", slots)


def _identity(
    source: PythonSource, statement: ast.stmt, *, first: bool
) -> tuple[str, Hashable, bool]:
    """The kind of a statement, the key that tells it from others, and whether it is named by it."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str())) if first:
            return "docstring", ("docstring",), True
        case ast.ImportFrom(module="__future__"):
            return "future", ("from", 0, "__future__"), True
        case ast.ImportFrom(module=module, level=level):
            key = ("from", level, module)
        case ast.Import(names=names):
            key = ("import", names[0].name, names[0].asname)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            key = ("name", name)
        case ast.Assign(targets=targets):
            key = ("assign", *map(ast.unparse, targets))
        case ast.AnnAssign(target=target):
            key = ("assign", ast.unparse(target))
        case _:
            return type(statement).__name__, _sign(source, statement), False
    return key[0], key, True


def _sign(source: PythonSource, statement: ast.stmt) -> Hashable:
    """What most likely tells a statement without a name from its neighbours."""
    kind = type(statement).__name__
    match statement:
        case ast.Expr(value=ast.Call(func=function, args=[ast.Constant(value=str(text)), *_])):
            return ("call", ast.unparse(function), text)
        case ast.Expr(value=ast.Call(func=function)):
            return ("call", ast.unparse(function))
        case ast.Return() | ast.Raise():
            return (kind,)
        case _:
            start, end = source.span(statement)
            children = list(_children(source, statement))
            stop = _start(source, children[0]) if children else end
            return (kind, source.meaning(start, stop))
