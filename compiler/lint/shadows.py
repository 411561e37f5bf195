"""Values that were edited by hand, so that the project says one thing and its spec another."""

import ast
import pathlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from compiler.diagnostics import Diagnostic, Place, Related, Severity, Stop
from compiler.lint.folder import Linted, LintReport
from compiler.lint.module import Function, Module
from compiler.pipeline import Findings, Resolved, check_file, compile_spec, plan_spec
from compiler.source import SourceFile

__all__ = ["values_of_the_spec"]

_LONGEST = 60
# What these are told is for people at a terminal.
_TOLD = ("add_argument", "ArgumentParser", "print")

# Where a value stands: the names of functions, calls, arguments and entries that lead to it.
Path = tuple[str, ...]


class _Value(NamedTuple):
    """A literal of a file, as text and as a value that can be compared."""

    node: ast.expr
    text: str
    value: str


class _Fresh(NamedTuple):
    """What the spec compiles to now, and the places in it of the arguments of each script."""

    tree: Mapping[str, str]
    places: Mapping[tuple[str, str], Place]
    sources: Mapping[str, SourceFile]


def values_of_the_spec(linted: Linted, report: LintReport) -> None:
    """A value that the compiler wrote is still the one that the spec compiles to.

    The spec is compiled again where a value was edited, since the new one may be the spec's by now.
    Where the spec is wrong, what it last compiled to counts.
    """
    if linted.last is None:
        return
    edited = {
        path: _edited(module, linted.last.base[path])
        for path, module in linted.modules.items()
        if path in linted.last.base and not path.startswith("tests/") and module.fault is None
    }
    if not any(edited.values()):
        return
    fresh = _compiled(linted)
    report.sources |= {} if fresh is None else fresh.sources
    for path, values in edited.items():
        module = linted.modules[path]
        now = {} if fresh is None else _values(_parsed(path, fresh.tree.get(path, "")))
        for where, (mine, last) in values.items():
            spec = last if fresh is None else now.get(where)
            if spec is not None and spec.value != mine.value:
                report.diagnostics.append(_found(module, where, mine, spec, fresh))


def _found(
    module: Module, where: Path, mine: _Value, spec: _Value, fresh: _Fresh | None
) -> Diagnostic:
    name = where[-1]
    message = f"`{name}` is `{_short(mine.text)}` here, and `{_short(spec.text)}` by the spec"
    related: tuple[Related, ...] = ()
    if fresh is None:
        message += " as last compiled"
    elif (place := fresh.places.get((module.path, name))) is not None:
        related = (Related(place, "the spec says it here"),)
    hints = ("write it in the spec and compile, so that both say the same",)
    place = module.place(mine.node)
    return Diagnostic("value-shadows-spec", Severity.WARNING, message, place, None, hints, related)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def _edited(module: Module, base: str) -> dict[Path, tuple[_Value, _Value]]:
    """Give the values of a file that are not those of the last compile, with both."""
    if module.source.text == base:
        return {}
    mine, last = _values(module), _values(_parsed(module.path, base))
    both = [where for where in mine if where in last]
    return {
        where: (mine[where], last[where])
        for where in both
        if mine[where].value != last[where].value
    }


def _parsed(path: str, text: str) -> Module:
    return Module(path, SourceFile(pathlib.Path(path), path, text))


def _compiled(linted: Linted) -> _Fresh | None:
    """Compile the spec as it is now; None where it is gone or wrong."""
    if linted.last is None or not (linted.root / linted.last.spec_name).is_file():
        return None
    findings = Findings()
    try:
        resolved = plan_spec(check_file(linted.root / linted.last.spec_name, [], findings))
    except Stop:
        return None
    return _Fresh(compile_spec(resolved).tree, _places(resolved), findings.sources)


def _places(resolved: Resolved) -> dict[tuple[str, str], Place]:
    document = resolved.checked.document
    rewards = {
        ("rewards.py", reward.name): document.value_place(path)
        for reward in resolved.plan.rewards
        if (path := reward.origin.path) is not None and path in document.value_spans
    }
    return rewards | {
        (f"train_{stage.name}.py", argument.name): document.value_place(path)
        for stage in resolved.plan.stages
        for argument in stage.arguments
        if (path := argument.value.origin.path) is not None and path in document.value_spans
    }


def _values(module: Module) -> dict[Path, _Value]:
    """Give every value that stands alone at its path; two at one path cannot be told apart."""
    found: dict[Path, _Value] = {}
    twice: set[Path] = set()
    for where, node in _statements(module.tree.body, ()):
        value = _Value(node, module.written(node), _comparable(node))
        if where in found and found[where].value != value.value:
            twice.add(where)
        found[where] = value
    return {where: value for where, value in found.items() if where not in twice}


def _statements(body: list[ast.stmt], where: Path) -> Iterator[tuple[Path, ast.expr]]:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield from _below(value, (*where, name), is_named=not where)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield from _below(value, (*where, name), is_named=not where)
            case _ if isinstance(node, Function | ast.ClassDef):
                yield from _statements(node.body, (*where, node.name))
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from _below(child, where, is_named=False)
                inner = getattr(node, "body", []) + getattr(node, "orelse", [])
                yield from _statements(
                    [each for each in inner if isinstance(each, ast.stmt)], where
                )


def _below(value: ast.expr, where: Path, *, is_named: bool) -> Iterator[tuple[Path, ast.expr]]:
    """Give the literals in an expression: of a named value, of arguments and of entries."""
    match value:
        case ast.Dict(keys=keys, values=values) if is_named and None not in keys:
            for key, each in zip(keys, values, strict=True):
                yield from _below(each, (*where, _key_name(key)), is_named=True)
        case ast.Call():
            yield from _in_call(value, where, is_named=is_named)
        case _ if is_named and _is_literal(value):
            yield where, value
        case _:
            parts = [part for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr)]
            is_list = isinstance(value, ast.Tuple | ast.List)
            for position, each in enumerate(parts):
                inner = (*where, str(position)) if is_list else where
                yield from _below(each, inner, is_named=is_named and is_list)


def _key_name(key: ast.expr | None) -> str:
    match key:
        case None:
            return ""
        case ast.Constant(value=str(text)):
            return text
        case _:
            return ast.unparse(key)


def _in_call(call: ast.Call, where: Path, *, is_named: bool) -> Iterator[tuple[Path, ast.expr]]:
    called = ast.unparse(call.func)
    if called.rpartition(".")[2] in _TOLD:
        return
    for position, each in enumerate(call.args):
        yield from _below(each, (*where, f"{called}()", str(position)), is_named=is_named)
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield from _below(keyword.value, (*where, f"{called}()", keyword.arg), is_named=True)


def _is_literal(value: ast.expr) -> bool:
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _comparable(value: ast.expr) -> str:
    """Give a literal in one spelling: 1e-5 is 0.00001, but 1 is not 1.0."""
    return repr(ast.literal_eval(value))
