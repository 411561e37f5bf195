"""Calls of TRL's classes, and what they are given, also through `**` of a dictionary nearby."""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from compiler.diagnostics import Place, Span
from compiler.lint.folder import Linted
from compiler.lint.module import Module, Scope

__all__ = ["Given", "TrlCall", "entries", "given", "loading_calls", "resolved", "trl_calls"]


class TrlCall(NamedTuple):
    """A call of a config or a trainer of TRL, for a training method."""

    module: Module
    node: ast.Call
    scope: Scope
    method: str
    name: str
    is_config: bool


class Given(NamedTuple):
    """One argument by name: its value, where the name stands, and how it is quoted there."""

    name: str
    value: ast.expr
    place: Place
    quote: str = ""


def trl_calls(linted: Linted) -> Iterator[TrlCall]:
    """Find every call of one of TRL's config and trainer classes that the stack has."""
    classes: dict[str, tuple[str, bool]] = {}
    for method, config in linted.stack.configs.items():
        classes[config] = method, True
        classes[f"{config.removesuffix('Config')}Trainer"] = method, False
    for module in linted.modules.values():
        # Most files of a project have no such name in them, and need no look at each call.
        if not any(name in module.source.text for name in classes):
            continue
        for node, scope in module.calls:
            dotted = module.dotted(node.func) or ""
            package, _, name = dotted.rpartition(".")
            # What is imported from nowhere comes from `import *`.
            is_trl = package == "" or package.split(".")[0] == "trl"
            if name in classes and is_trl and "experimental" not in package:
                yield TrlCall(module, node, scope, classes[name][0], name, classes[name][1])


def loading_calls(linted: Linted) -> Iterator[tuple[Module, ast.Call, Scope]]:
    """Find every call that loads a model: `from_pretrained` of a class of transformers or of TRL.

    Tokenizers, processors and configs are no models; Unsloth's classes take arguments of their own.
    """
    for module in linted.modules.values():
        for node, scope in module.calls:
            head, _, last = (module.dotted(node.func) or "").rpartition(".")
            name = head.rpartition(".")[2]
            is_model = "Model" in name and "Processor" not in name
            if last == "from_pretrained" and is_model and head.split(".")[0] != "unsloth":
                yield module, node, scope


def given(module: Module, node: ast.Call, scope: Scope) -> Iterator[Given]:
    """Give each argument of a call that is passed by name, and those of dictionaries behind `**`.

    A dictionary is looked into where it is written out, in the call or where its name is bound.
    """
    for argument in node.keywords:
        if argument.arg is not None:
            start = module.span(argument).start
            span = Span(start, start + len(argument.arg))
            yield Given(argument.arg, argument.value, module.source.place(span))
        else:
            yield from entries(module, argument.value, scope)


def entries(module: Module, value: ast.expr, scope: Scope) -> Iterator[Given]:
    """Give the entries of a dictionary that is written out, as a literal or a call of `dict`."""
    match value:
        case ast.Name(id=name):
            bound = module.value_of(name, scope)
            if bound is not None and not isinstance(bound, ast.Name):
                yield from entries(module, bound, scope)
        case ast.Dict(keys=keys, values=values):
            for key, each in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    quote = module.written(key)[0]
                    yield Given(key.value, each, module.place(key), quote if quote in "'\"" else "")
        case ast.Call(func=ast.Name(id="dict")):
            yield from given(module, value, scope)
        case _:
            pass


def resolved(
    linted: Linted, module: Module, scope: Scope, value: ast.expr
) -> tuple[Module, ast.expr]:
    """Follow a name to what it is bound to, through imports within the folder, and `TABLE["key"]`.

    Gives the expression itself where nothing more is known.
    """
    match value:
        case ast.Name(id=name) if name in module.imports:
            package, _, inner = module.imports[name].rpartition(".")
            sibling = linted.sibling(package)
            bound = None if sibling is None else sibling.value_of(inner, sibling.tree)
            if sibling is not None and bound is not None:
                return resolved(linted, sibling, sibling.tree, bound)
        case ast.Name(id=name):
            bound = module.value_of(name, scope)
            if bound is not None and not (isinstance(bound, ast.Name) and bound.id == name):
                return resolved(linted, module, scope, bound)
        case ast.Subscript(value=table, slice=ast.Constant(value=key)):
            where, found = resolved(linted, module, scope, table)
            if isinstance(found, ast.Dict):
                for each, entry in zip(found.keys, found.values, strict=True):
                    if isinstance(each, ast.Constant) and each.value == key:
                        return where, entry
        case _:
            pass
    return module, value
