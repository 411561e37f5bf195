"""No text that a model has written is run as code, or unpickled."""

import ast
from collections.abc import Iterator

from compiler.diagnostics import Report
from compiler.lint.folder import Linted
from compiler.lint.module import Function, Module, Scope

__all__ = ["model_text"]

# What runs the text that it is given, or builds what that names.
_RUNS = {
    *("eval", "exec", "builtins.eval", "builtins.exec"),
    *("os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"),
    *("pickle.loads", "pickle.load", "dill.loads", "cloudpickle.loads", "marshal.loads"),
    # SymPy's own documentation warns of both: they call `eval`.
    *("sympy.sympify", "sympy.S", "sympy.parsing.sympy_parser.parse_expr", "sympy.parse_expr"),
}
_WITH_SHELL = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output")} | {
    "subprocess.Popen"
}
# Methods that give what a model has generated.
_GENERATES = {"batch_decode", "decode", "generate"}


def model_text(linted: Linted, report: Report) -> None:
    """What comes in as a parameter, or from a tokenizer, is not handed to what runs text.

    Names are followed through the assignments and loops of a function. What the last compile wrote
    itself is left out: its sandbox runs such text where it can do no harm.
    """
    for path, module in linted.modules.items():
        base = "" if linted.last is None else linted.last.base.get(path, "")
        outer = _outer_functions(module)
        for node, scope in module.calls:
            runner = _runner(module, node)
            if runner is None or not node.args:
                continue
            unsafe = _unsafe_names(outer.get(id(scope), scope))
            if _comes_from_outside(node.args[0], unsafe) and module.written(node) not in base:
                message = f"`{runner}` runs text that a model may have written"
                hint = "read the text with a parser, or compile a spec whose reward has a sandbox"
                report.error("model-text-executed", message, module.place(node), hints=(hint,))


def _runner(module: Module, node: ast.Call) -> str | None:
    """Give the name of what a call runs text with; None where it runs none."""
    dotted = module.dotted(node.func)
    if dotted in _RUNS:
        return dotted
    shell = any(
        each.arg == "shell" and not (isinstance(each.value, ast.Constant) and not each.value.value)
        for each in node.keywords
    )
    return f"{dotted}(shell=True)" if dotted in _WITH_SHELL and shell else None


def _outer_functions(module: Module) -> dict[int, Function]:
    """Give for each function the outermost one around it, which may hand it names."""
    outer: dict[int, Function] = {}
    for top in ast.walk(module.tree):
        if isinstance(top, Function) and id(top) not in outer:
            inside = (node for node in ast.walk(top) if isinstance(node, Function))
            outer |= {id(node): top for node in inside if id(node) not in outer}
    return outer


def _unsafe_names(scope: Scope) -> set[str]:
    """Name what a function is given from outside, and all that is made of it."""
    unsafe: set[str] = set()
    if isinstance(scope, Function):
        unsafe = {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}
        unsafe -= {"self", "cls"}
    bindings = list(_bindings(scope))
    before = -1
    while len(unsafe) != before:
        before = len(unsafe)
        for target, value in bindings:
            if _comes_from_outside(value, unsafe):
                unsafe |= {
                    node.id
                    for node in ast.walk(target)
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                }
    return unsafe


def _bindings(scope: Scope) -> Iterator[tuple[ast.AST, ast.expr]]:
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((target, value) for target in targets)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield target, value
            case ast.AugAssign(target=target, value=value):
                yield target, value
            case ast.NamedExpr(target=target, value=value):
                yield target, value
            case ast.For() | ast.AsyncFor() | ast.comprehension():
                yield node.target, node.iter
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield target, value
            case _:
                pass


def _comes_from_outside(value: ast.expr, unsafe: set[str]) -> bool:
    for node in ast.walk(value):
        match node:
            case ast.Name(id=name) if name in unsafe:
                return True
            case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _GENERATES:
                return True
            case _:
                pass
    return False
