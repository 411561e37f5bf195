"""Rewards and evaluation read and compare answers with the same functions."""

import ast

from compiler.diagnostics import Report
from compiler.lint.folder import Linted
from compiler.lint.module import Module

__all__ = ["one_reader"]

_READERS = ("read_answer", "same_answer")


def one_reader(linted: Linted, report: Report) -> None:
    """What read_answer and same_answer are stands in answers.py alone.

    A file that took them from there as the last compile wrote it, and that still calls them or
    reads answers in another way, takes them from there still.
    """
    if linted.last is None or "answers.py" not in linted.last.base:
        return
    for path, module in linted.modules.items():
        base = linted.last.base.get(path)
        if base is None or path == "answers.py" or path.startswith("tests/"):
            continue
        taken = _taken(base)
        for name in _READERS:
            _check_reader(module, name, report, was_taken=name in taken)


def _check_reader(module: Module, name: str, report: Report, *, was_taken: bool) -> None:
    own = module.functions.get(name)
    origin = module.imports.get(name)
    hint = f"take it from answers.py: `from answers import {name}`"
    if own is not None:
        message = f"`{module.path}` has a `{name}` of its own beside that of answers.py"
        report.warning("second-reader", message, module.place(own), hints=(hint,))
    elif origin is not None and origin != f"answers.{name}":
        place = module.place(_import_of(module, name))
        message = f"`{module.path}` takes `{name}` from `{origin.rpartition('.')[0]}`"
        report.warning("second-reader", message, place, hints=(hint,))
    elif origin is None and was_taken and module.tree.body:
        message = f"`{module.path}` no longer reads answers with `{name}` of answers.py"
        why = "what is rewarded and what is measured would differ"
        place = module.place(module.tree.body[0])
        report.warning("second-reader", message, place, hints=(why, hint))


def _import_of(module: Module, name: str) -> ast.stmt:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and name in {
            alias.asname or alias.name for alias in node.names
        }:
            return node
    return module.tree.body[0]


def _taken(base: str) -> set[str]:
    """What a file that the compiler wrote takes from answers.py."""
    return {
        alias.name
        for node in ast.parse(base).body
        if isinstance(node, ast.ImportFrom) and node.module == "answers"
        for alias in node.names
    }
