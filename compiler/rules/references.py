"""Functions of the user's own: they are where the spec says, and can be called as TRL calls."""

import ast
import keyword
import sys
from collections.abc import Iterator
from pathlib import PurePosixPath

from compiler.closest import closest
from compiler.parse import KeyPath
from compiler.rules.case import Case
from spec_schema.data import PythonSource
from spec_schema.rewards import PythonReward

__all__ = ["functions_exist", "rewards_take_columns"]

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Modules of the generated project, and packages that its scripts import.
TAKEN = {
    *("answers", "data", "data_report", "evaluate", "prompts", "readers", "rewards", "stages"),
    *("datasets", "peft", "torch", "transformers", "trl"),
}
# What TRL passes to a reward beside the columns of the data (grpo_trainer.py, _calculate_rewards).
PASSED = {
    *("prompts", "completions", "completion_ids", "trainer_state", "log_extra", "log_metric"),
    *("prompt", "gold", "row_number"),
}


def functions_exist(case: Case) -> None:
    """`file.py:function` names a file beside the spec and a function at its top level."""
    for path, reference in _references(case):
        _find(case, path, reference, report=True)


def rewards_take_columns(case: Case) -> None:
    """A reward of the user's own takes `**kwargs`, and only columns that the data has."""
    shape = case.shape(case.spec.data.train)
    for name, reward in case.spec.rewards.items():
        if not isinstance(reward, PythonReward):
            continue
        path: KeyPath = ("rewards", name, "function")
        function = _find(case, path, reward.function, report=False)
        if function is None:
            continue
        if function.args.kwarg is None:
            case.error(
                "bad-signature",
                path,
                f"`{reward.function}` takes no `**kwargs`",
                "TRL passes every column of the data by name: end the parameters with `**kwargs`",
            )
        if function.args.posonlyargs:
            case.error(
                "bad-signature",
                path,
                f"`{reward.function}` has positional-only parameters",
                "TRL passes everything by name",
            )
        if shape is not None:
            known = {*shape.columns, *case.spec.data.fields, *PASSED}
            for parameter in _required(function):
                if parameter not in known:
                    meant = closest(parameter, known)
                    case.error(
                        "bad-signature",
                        path,
                        f"`{reward.function}` takes `{parameter}`, which is no column of the data",
                        f"did you mean `{meant}`?" if meant else "give it a default, or rename it",
                    )


def _references(case: Case) -> Iterator[tuple[KeyPath, str]]:
    for name in ("train", "eval"):
        source = getattr(case.spec.data, name)
        if isinstance(source, PythonSource):
            yield ("data", name, "python"), source.python
    for name, reward in case.spec.rewards.items():
        if isinstance(reward, PythonReward):
            yield ("rewards", name, "function"), reward.function


def _find(case: Case, path: KeyPath, reference: str, *, report: bool) -> Function | None:
    """The function that a reference names; the user's file is read and never imported."""
    fault, hint, function = _look_up(case, reference)
    if fault is not None and report:
        case.error("bad-reference", path, fault, *([hint] if hint else []))
    return function


def _look_up(case: Case, reference: str) -> tuple[str | None, str | None, Function | None]:
    file, _, name = reference.partition(":")
    module = PurePosixPath(file).stem
    shape = "write it as `my_file.py:my_function`"
    if not file.endswith(".py") or not name.isidentifier() or "/" in file:
        return f"`{reference}` does not name a function of a file beside the spec", shape, None
    if not module.isidentifier() or keyword.iskeyword(module):
        return f"`{file}` is no name that Python can import", "rename the file", None
    if module in TAKEN or module in sys.stdlib_module_names or module.startswith("train_"):
        return f"`{file}` has the name of another module", f"rename it, such as `my_{file}`", None
    try:
        tree = ast.parse((case.folder / file).read_bytes())
    except FileNotFoundError:
        return f"there is no file `{file}` beside the spec", None, None
    except OSError as error:
        return f"`{file}` cannot be read: {error.strerror}", None, None
    except (SyntaxError, ValueError, RecursionError) as error:
        return f"`{file}` is not Python: {error}", None, None
    functions = {node.name: node for node in tree.body if isinstance(node, Function)}
    if name not in functions:
        meant = closest(name, functions)
        hint = f"did you mean `{meant}`?" if meant else None
        return f"`{file}` has no function `{name}` at its top level", hint, None
    return None, None, functions[name]


def _required(function: Function) -> list[str]:
    """The parameters without a default."""
    positional = function.args.args
    required = positional[: len(positional) - len(function.args.defaults)]
    keyword_only = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    return [
        *(argument.arg for argument in required),
        *(argument.arg for argument, default in keyword_only if default is None),
    ]
