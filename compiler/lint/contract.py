"""The contract of a reward: TRL calls it by keyword, and takes one value for each completion."""

import ast
from collections.abc import Iterator

from compiler.closest import closest
from compiler.diagnostics import Place, Report
from compiler.lint.calls import given, resolved, trl_calls
from compiler.lint.folder import Linted
from compiler.lint.module import Function, Module, Scope, required_parameters

__all__ = ["mixes", "reward_contract", "reward_functions"]

# What TRL passes beside the columns of the data (grpo_trainer.py, `_calculate_rewards`).
_PASSED = ("prompts", "completions", "completion_ids", "trainer_state", "log_extra", "log_metric")
_ONE = {"prompt": "prompts", "completion": "completions", "completion_id": "completion_ids"}
# Builtins whose result is one value, or text.
_SINGLE = {"bool", "float", "int", "len", "repr", "round", "str", "sum"}

Reward = tuple[Module, Function | ast.Lambda]


def mixes(linted: Linted) -> Iterator[tuple[Module, str, ast.Dict]]:
    """Give the mix of each stage, as `MIXES` of rewards.py has it."""
    module = linted.sibling("rewards")
    table = None if module is None else module.value_of("MIXES", module.tree)
    if module is not None and isinstance(table, ast.Dict):
        for key, value in zip(table.keys, table.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Dict):
                yield module, str(key.value), value


def reward_functions(linted: Linted) -> dict[Place, Reward]:
    """Find each function that a trainer is given as a reward, by its place."""
    found: dict[Place, Reward] = {}
    for module, _, mix in mixes(linted):
        for key in mix.keys:
            if key is not None:
                found |= _functions(linted, module, module.tree, key)
    for call in trl_calls(linted):
        if call.is_config:
            continue
        for each in given(call.module, call.node, call.scope):
            if each.name == "reward_funcs":
                module, value = resolved(linted, call.module, call.scope, each.value)
                scope = call.scope if module is call.module else module.tree
                items = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
                for item in items:
                    found |= _functions(linted, module, scope, item)
    return found


def reward_contract(linted: Linted, report: Report) -> None:
    """A reward takes `**kwargs` and nothing that TRL does not pass, and returns a list."""
    for place, (module, function) in reward_functions(linted).items():
        name = "lambda" if isinstance(function, ast.Lambda) else function.name
        takes = function.args
        if takes.posonlyargs:
            message = f"the reward `{name}` has positional-only parameters"
            report.error(
                "reward-contract", message, place, hints=("TRL passes everything by name",)
            )
        if takes.kwarg is None:
            hint = "TRL passes every column of the data by name: end the parameters with `**kwargs`"
            message = f"the reward `{name}` takes no `**kwargs`"
            report.error("reward-contract", message, place, hints=(hint,))
        for parameter in required_parameters(function):
            meant = _ONE.get(parameter) or _slip(parameter)
            if meant is not None:
                message = f"the reward `{name}` takes `{parameter}`, which TRL does not pass"
                report.error("reward-contract", message, place, hints=(f"take `{meant}`, a list",))
        _check_result(module, function, name, report)


def _slip(parameter: str) -> str | None:
    return None if parameter in _PASSED else closest(parameter, _PASSED, 0.9)


def _functions(
    linted: Linted, module: Module, scope: Scope, value: ast.expr
) -> dict[Place, Reward]:
    """Give the function that an expression stands for, where it is one of the folder."""
    match value:
        case ast.Lambda():
            return {module.place(value): (module, value)}
        case ast.Name(id=name) if name in module.functions:
            function = module.functions[name]
            return {module.place(function): (module, function)}
        case ast.Name(id=name) if name in module.imports:
            package, _, inner = module.imports[name].rpartition(".")
            sibling = linted.sibling(package)
            if sibling is not None and inner in sibling.functions:
                function = sibling.functions[inner]
                return {sibling.place(function): (sibling, function)}
        case ast.Name(id=name):
            bound = module.value_of(name, scope)
            if isinstance(bound, ast.Lambda):
                return {module.place(bound): (module, bound)}
        case _:
            pass
    return {}


def _check_result(
    module: Module, function: Function | ast.Lambda, name: str, report: Report
) -> None:
    if isinstance(function, ast.Lambda):
        results: list[ast.expr | None] = [function.body]
        place = module.place(function)
    else:
        own = list(_own(function))
        place = module.place(function)
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own):
            message = f"the reward `{name}` yields its values one by one"
            hint = "collect them, and return them all at once"
            report.error("reward-contract", message, place, hints=(hint,))
            return
        results = [node.value for node in own if isinstance(node, ast.Return)]
        if not results and not isinstance(function.body[-1], ast.Raise):
            message = f"the reward `{name}` returns nothing"
            hint = "return a list with one number, or None, for each completion"
            report.error("reward-contract", message, place, hints=(hint,))
    for result in results:
        if result is None or _is_single(result):
            shown = "nothing" if result is None else f"`{ast.unparse(result)}`, one value"
            message = f"the reward `{name}` returns {shown}"
            where = place if result is None else module.place(result)
            hint = "return a list with one number, or None, for each completion"
            report.error("reward-contract", message, where, hints=(hint,))


def _is_single(value: ast.expr) -> bool:
    """Whether an expression is surely one value, not one for each completion."""
    match value:
        case ast.Constant() | ast.Compare() | ast.JoinedStr() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.UnaryOp(operand=operand):
            return _is_single(operand)
        case ast.Call(func=ast.Name(id=name)):
            return name in _SINGLE
        case ast.IfExp(body=body, orelse=orelse):
            return _is_single(body) and _is_single(orelse)
        case _:
            return False


def _own(function: Function) -> Iterator[ast.AST]:
    """Walk over a function without those inside it."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            pending += ast.iter_child_nodes(node)
