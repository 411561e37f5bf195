"""One Python file as the rules see it: its tree, its calls, its names, and their places."""

import ast
import re
import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import TypeGuard

from compiler.diagnostics import Place, Span
from compiler.source import SourceFile

__all__ = ["Function", "Module", "Scope", "required_parameters"]

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.Module | Function


class Module:
    """A Python file: its path in the project, its text, and its tree where it can be parsed."""

    def __init__(self, path: str, source: SourceFile) -> None:
        """Parse the text; `fault` says why it cannot be, with the place."""
        self.path, self.source = path, source
        self.fault: tuple[str, Span] | None = None
        self.tree = ast.Module(body=[], type_ignores=[])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what Python warns of is ruff's to tell
                self.tree = ast.parse(source.text)
        except SyntaxError as error:
            start = self.offset(error.lineno or 1, error.offset or 1)
            self.fault = error.msg, Span(start, start + 1)
        except (ValueError, RecursionError, MemoryError) as error:
            self.fault = str(error), Span(0, 0)

    @cached_property
    def _starts(self) -> list[int]:
        # The line ends of Python's tokenizer, which are fewer than those of `str.splitlines`.
        return [0, *(end.end() for end in re.finditer(r"\r\n|\r|\n", self.source.text))]

    def offset(self, line: int, column: int) -> int:
        """Give the offset of a line and a column in characters, both from 1."""
        start = self._starts[min(line, len(self._starts)) - 1]
        return min(start + column - 1, len(self.source.text))

    def offset_of_units(self, line: int, column: int) -> int:
        """Give the offset of a line and a column in UTF-16 units, both from 0, as editors count."""
        start = self._starts[min(line, len(self._starts) - 1)]
        rest = self.source.text[start : start + column].encode("utf-16-le")
        return start + len(rest[: 2 * column].decode("utf-16-le", "replace"))

    def _offset(self, line: int, column: int) -> int:
        """Give the offset of a place as `ast` states it: a line from 1, a column in bytes."""
        text = self.source.text
        start = self._starts[min(line, len(self._starts)) - 1]
        end = self._starts[line] if line < len(self._starts) else len(text)
        return start + len(text[start:end].encode()[:column].decode(errors="replace"))

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias) -> Span:
        """Give the characters of a node."""
        start = self._offset(node.lineno, node.col_offset)
        if node.end_lineno is None or node.end_col_offset is None:
            return Span(start, start)
        return Span(start, self._offset(node.end_lineno, node.end_col_offset))

    def place(self, node: ast.expr | ast.stmt | ast.keyword | ast.arg | ast.alias) -> Place:
        """Give the place of a node; that of a definition is its first line's name."""
        span = self.span(node)
        if isinstance(node, Function | ast.ClassDef):
            start = self.source.text.index(node.name, span.start)
            span = Span(start, start + len(node.name))
        return self.source.place(span)

    def written(self, node: ast.expr) -> str:
        """Give the text of an expression as it stands in the file."""
        span = self.span(node)
        return self.source.text[span.start : span.end]

    @cached_property
    def calls(self) -> tuple[tuple[ast.Call, Scope], ...]:
        """Every call with the function that it stands in, in the order of the file."""
        found = [(node, scope) for node, scope in self.nodes if isinstance(node, ast.Call)]
        return tuple(sorted(found, key=lambda each: (each[0].lineno, each[0].col_offset)))

    @cached_property
    def nodes(self) -> tuple[tuple[ast.AST, Scope], ...]:
        """Every node with the function that it stands in."""
        found: list[tuple[ast.AST, Scope]] = []
        pending: list[tuple[ast.AST, Scope]] = [(self.tree, self.tree)]
        while pending:
            node, scope = pending.pop()
            found.append((node, scope))
            inner = node if isinstance(node, Function) else scope
            pending += [(child, inner) for child in ast.iter_child_nodes(node)]
        return tuple(found)

    @cached_property
    def imports(self) -> dict[str, str]:
        """What each imported name stands for, dotted: `{"GRPOConfig": "trl.GRPOConfig"}`."""
        names: dict[str, str] = {}
        for node, _ in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    names[alias.asname or whole] = whole
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return names

    @cached_property
    def functions(self) -> dict[str, Function]:
        """The functions at the top level, by name."""
        return {node.name: node for node in self.tree.body if isinstance(node, Function)}

    @cached_property
    def _defined(self) -> set[str]:
        assigned = {target for node in self.tree.body for target, _ in _assigned(node)}
        classes = {node.name for node in self.tree.body if isinstance(node, ast.ClassDef)}
        return {*self.functions, *assigned, *classes}

    def dotted(self, node: ast.expr) -> str | None:
        """Give what a name or an attribute stands for, dotted; a name from nowhere is itself."""
        match node:
            case ast.Name(id=name) if name in self.imports:
                return self.imports[name]
            case ast.Name(id=name):
                return None if name in self._defined else name
            case ast.Attribute(value=value, attr=attribute):
                head = self.dotted(value)
                return None if head is None else f"{head}.{attribute}"
            case _:
                return None

    def value_of(self, name: str, scope: Scope) -> ast.expr | None:
        """Give what a name is bound to, in its function or else at the top level.

        None where that is no assignment, or more than one.
        """
        for where in (scope, self.tree):
            values = [
                value
                for node in _own_statements(where)
                for target, value in _assigned(node)
                if target == name
            ]
            if values:
                return values[0] if len(values) == 1 else None
            if isinstance(where, Function) and name in _parameters(where):
                return None
        return None


def required_parameters(function: Function | ast.Lambda) -> list[str]:
    """Name the parameters without a default."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    required = positional[: len(positional) - len(given.defaults)]
    by_name = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    named = [argument.arg for argument, default in by_name if default is None]
    return [*(argument.arg for argument in required), *named]


def _parameters(function: Function) -> set[str]:
    given = function.args
    more = [each for each in (given.vararg, given.kwarg) if each]
    return {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, *more)}


def _own_statements(scope: Scope) -> Iterator[ast.AST]:
    """Walk over the statements of a scope without those of functions and classes in it."""
    pending: list[ast.AST] = list(scope.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, Function | ast.ClassDef | ast.expr):
            pending += ast.iter_child_nodes(node)


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Give each name that a statement binds, with its value where that is one expression."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            yield name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value
        case ast.Assign(targets=targets):
            for target in targets:
                yield from ((each.id, None) for each in ast.walk(target) if _is_bound(each))
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, None
        case ast.For(target=target) | ast.AsyncFor(target=target):
            yield from ((each.id, None) for each in ast.walk(target) if _is_bound(each))
        case _:
            pass


def _is_bound(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
