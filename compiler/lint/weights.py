"""Rules over rewards and their weights: as many of one as of the other, and weights that count."""

import ast
import contextlib
import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from compiler.diagnostics import Report
from compiler.lint.calls import Given, TrlCall, given, resolved, trl_calls
from compiler.lint.contract import mixes, reward_functions
from compiler.lint.folder import Linted
from compiler.lint.module import Module, Scope

__all__ = ["equal_lengths", "listed_rewards", "weights_count"]

_ODD = {"math.nan": math.nan, "numpy.nan": math.nan, "math.inf": math.inf, "numpy.inf": math.inf}


class _Length(NamedTuple):
    """How many items a list has: those that are written out, and the tables that it is made of."""

    items: int
    tables: Counter[str]


def equal_lengths(linted: Linted, report: Report) -> None:
    """A trainer gets as many weights as rewards; TRL pairs the two lists by position."""
    configs = {id(call.node): call for call in trl_calls(linted) if call.is_config}
    for call in trl_calls(linted):
        arguments = {} if call.is_config else _arguments(call)
        config = _config_of(call, arguments, configs)
        weights = _arguments(config).get("reward_weights") if config is not None else None
        rewards = arguments.get("reward_funcs")
        if config is None or weights is None or rewards is None:
            continue
        one = _length(linted, call.module, call.scope, rewards.value)
        other = _length(linted, config.module, config.scope, weights.value)
        if one is None or other is None or one.tables != other.tables or one.items == other.items:
            continue
        beside = f" beside those of `{next(iter(one.tables))}`" if one.tables else ""
        message = f"{_count(one, 'reward')} and {_count(other, 'weight')}{beside}"
        hint = "give each reward one weight, in the same order"
        report.error("unequal-weights", message, rewards.place, hints=(hint,))


def weights_count(linted: Linted, report: Report) -> None:
    """No weight is nan or infinite, and not all weights of a stage are 0."""
    for module, name, mix in mixes(linted):
        _check_weights(report, module, f"the mix `{name}`", mix, mix.values)
    for call in trl_calls(linted):
        weights = _arguments(call).get("reward_weights") if call.is_config else None
        if weights is None:
            continue
        module, value = resolved(linted, call.module, call.scope, weights.value)
        if isinstance(value, ast.List | ast.Tuple):
            _check_weights(report, module, "`reward_weights`", value, value.elts)


def listed_rewards(linted: Linted, report: Report) -> None:
    """A function of rewards.py with the signature of a reward stands in a mix.

    Those that the last compile wrote are left out: a spec may have a reward for evaluation alone.
    """
    module = linted.sibling("rewards")
    if module is None or linted.last is None or not any(True for _ in mixes(linted)):
        return
    used = {id(function) for _, function in reward_functions(linted).values()}
    written = linted.last.base.get("rewards.py", "")
    for name, function in module.functions.items():
        names = {argument.arg for argument in function.args.args}
        is_reward = "completions" in names and function.args.kwarg is not None
        if is_reward and id(function) not in used and f"def {name}(" not in written:
            message = f"the reward `{name}` is in no mix, so that nothing calls it"
            hint = f"give it a weight: `{name}: 1.0` in `MIXES`"
            report.warning("unlisted-reward", message, module.place(function), hints=(hint,))


def _count(length: _Length, what: str) -> str:
    return f"{length.items} {what}{'s' * (length.items != 1)}"


def _arguments(call: TrlCall) -> dict[str, Given]:
    return {each.name: each for each in given(call.module, call.node, call.scope)}


def _config_of(
    call: TrlCall, arguments: dict[str, Given], configs: dict[int, TrlCall]
) -> TrlCall | None:
    """Give the call that makes the config which a trainer is given."""
    if (args := arguments.get("args")) is None:
        return None
    value: ast.expr | None = args.value
    if isinstance(value, ast.Name):
        value = call.module.value_of(value.id, call.scope)
    return configs.get(id(value))


def _length(linted: Linted, module: Module, scope: Scope, value: ast.expr) -> _Length | None:
    """Count what a list is made of; None where that cannot be told."""
    found: _Length | None = None
    match value:
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            found = _sum(_length_of_part(linted, module, scope, part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            found = _sum(_length(linted, module, scope, each) for each in (left, right))
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner], keywords=[]):
            found = _length(linted, module, scope, inner)
        case ast.Call(func=ast.Attribute(value=table, attr="values" | "keys"), args=[]):
            found = _length(linted, module, scope, table)
        case ast.Dict(keys=keys) if None not in keys:
            found = _Length(len(keys), Counter())
        case ast.Name() | ast.Subscript():
            found = _length_of_bound(linted, module, scope, value)
        case _:
            pass
    return found


def _length_of_bound(
    linted: Linted, module: Module, scope: Scope, value: ast.Name | ast.Subscript
) -> _Length | None:
    where, bound = resolved(linted, module, scope, value)
    if isinstance(bound, ast.Name | ast.Subscript):
        # What it is made of is not known, but the same name has the same length.
        return _Length(0, Counter([ast.unparse(bound)]))
    return _length(linted, where, scope if where is module else where.tree, bound)


def _length_of_part(linted: Linted, module: Module, scope: Scope, part: ast.expr) -> _Length | None:
    if isinstance(part, ast.Starred):
        return _length(linted, module, scope, part.value)
    return _Length(1, Counter())


def _sum(parts: Iterator[_Length | None]) -> _Length | None:
    items, tables = 0, Counter[str]()
    for part in parts:
        if part is None:
            return None
        items, tables = items + part.items, tables + part.tables
    return _Length(items, tables)


def _check_weights(
    report: Report, module: Module, what: str, whole: ast.expr, weights: list[ast.expr]
) -> None:
    values = [_number(module, weight) for weight in weights]
    for weight, value in zip(weights, values, strict=True):
        if value is not None and not math.isfinite(value):
            message = f"the weight `{ast.unparse(weight)}` is no finite number"
            hint = "every reward of the stage would become nan or infinite"
            report.error("bad-weight", message, module.place(weight), hints=(hint,))
    if values and all(value == 0 for value in values):
        message = f"every weight of {what} is 0, so that nothing is rewarded"
        report.error("bad-weight", message, module.place(whole))


def _number(module: Module, value: ast.expr) -> float | None:
    """Give the number that an expression is written as; None for all else."""
    number: float | None = None
    match value:
        case ast.Constant(value=int() | float() as constant) if not isinstance(constant, bool):
            number = float(constant)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            positive = _number(module, operand)
            number = None if positive is None else -positive
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
            with contextlib.suppress(ValueError):
                number = float(text)
        case ast.Attribute():
            number = _ODD.get(module.dotted(value) or "")
        case _:
            pass
    return number
