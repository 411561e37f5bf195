"""Names that one module of a folder takes from another, which does not have them."""

import ast
from collections.abc import Iterator
from pathlib import PurePosixPath

from compiler.diagnostics import Report
from compiler.lint.folder import Linted
from compiler.lint.module import Function, Module

__all__ = ["names_of_siblings"]

# What may give a module names that its text does not show.
_DYNAMIC = {"__getattr__", "exec", "globals", "setattr", "vars"}


def names_of_siblings(linted: Linted, report: Report) -> None:
    """What is imported from a module of the folder, or read off it, that module has.

    Left alone is an import that may fail, inside `try`, and a module that is given names as it
    runs.
    """
    bound = {path: _bound(module) for path, module in linted.modules.items()}
    for module in linted.modules.values():
        for name, attribute, node in (*_imported(module), *_read_off(module)):
            path = _path_of(linted, module, name)
            known = bound.get(path) if path is not None else None
            if known is not None and attribute not in known:
                message = f"`{path}` has no `{attribute}`"
                report.error("undefined-name", message, module.place(node))


def _path_of(linted: Linted, module: Module, name: str) -> str | None:
    """Give the path of the module that an import finds: beside the file, else in the root."""
    beside = PurePosixPath(module.path).parent / f"{name.replace('.', '/')}.py"
    if str(beside) in linted.modules:
        return str(beside)
    found = linted.sibling(name)
    return None if found is None else found.path


def _imported(module: Module) -> Iterator[tuple[str, str, ast.alias]]:
    """Give the module, the name and the place of each `from MODULE import NAME`."""
    pending: list[ast.AST] = [module.tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if alias.name != "*":
                    yield node.module, alias.name, alias
        if not isinstance(node, ast.Try):
            pending += ast.iter_child_nodes(node)


def _read_off(module: Module) -> Iterator[tuple[str, str, ast.expr]]:
    """Give the module, the name and the place of each `MODULE.NAME` that is read."""
    modules = {name for name, origin in module.imports.items() if name == origin}
    nodes = list(ast.walk(module.tree))
    # Where the name is also something else, which of the two is read is not told apart.
    modules -= {node.id for node in nodes if isinstance(node, ast.Name) and not _is_read(node)}
    modules -= {node.arg for node in nodes if isinstance(node, ast.arg)}
    attributes = [
        (node, node.value.id)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    ]
    given = {(name, node.attr) for node, name in attributes if not _is_read(node)}
    for node, name in attributes:
        if name in modules and (name, node.attr) not in given and not node.attr.startswith("__"):
            yield name, node.attr, node


def _is_read(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Load)


def _bound(module: Module) -> set[str] | None:
    """Give the names that a module binds; None where its text does not show them all."""
    if module.fault is not None:
        return None
    names: set[str] = set()
    pending: list[ast.AST] = list(module.tree.body)
    while pending:
        node = pending.pop()
        names |= _names_of(node)
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            pending += ast.iter_child_nodes(node)
    words = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    names |= {
        name
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Global)
        for name in node.names
    }
    return None if "*" in names or _DYNAMIC & (words | names) else names


def _names_of(node: ast.AST) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        case ast.Name(id=name, ctx=ast.Store()):
            return {name}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return {name}
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return {name}
        case _:
            return set()
