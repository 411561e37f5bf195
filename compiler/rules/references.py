"""Functions of the user's own: they are where the spec says, and can be called as they will be."""

import ast
import keyword
import sys
import warnings
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from compiler.closest import closest, quoted_list, shortened
from compiler.parse import KeyPath
from compiler.resolve.own_data import sources_of
from compiler.rules.case import Case, is_inside
from spec_schema.data import PythonSource

__all__ = [
    "TAKEN",
    "answers_take_texts",
    "functions_exist",
    "loaders_take_nothing",
    "rewards_take_columns",
]

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Modules of the generated project and of its tests, and packages that its scripts import.
TAKEN = {
    *(
        "answer_report",
        "answers",
        "data",
        "data_report",
        "evaluate",
        "export",
        "generated",
        "prompts",
        "readers",
    ),
    *("gate", "resume", "rewards", "stages", "stopping", "versions"),
    *("estimates", "grading", "models", "preferences", "sampling", "tables"),
    *("findings", "probes", "rescore", "schedules", "weights", "judges", "reward_models"),
    *("alarms", "monitor", "completion_tables", "scores"),
    *("charts", "report", "samples", "template_report", "tokens", "tracking", "trackio", "wandb"),
    *("code_runner", "confinement", "query_runner", "run_code", "run_query", "sandbox"),
    *("latex2sympy2_extended", "math_grader", "math_verify", "math_worker", "sympy"),
    *("checks", "conftest", "crafted", "made_rows", "tests", "tiny_model"),
    *("accelerate", "datasets", "huggingface_hub", "numpy", "pandas", "peft", "pyarrow", "pytest"),
    *(
        "jsonschema",
        "py3langid",
        "reasoning_gym",
        "referencing",
        "safetensors",
        "tensorboard",
        "tokenizers",
        "torch",
        "transformers",
        "trl",
    ),
}
# What the names of the project's own scripts and tests begin with.
SCRIPTS = ("train_", "test_")
# What TRL passes to a reward beside the columns of the data (grpo_trainer.py, _calculate_rewards),
# and the columns that it keeps back.
PASSED = {
    *("prompts", "completions", "completion_ids", "trainer_state", "log_extra", "log_metric"),
    "row_number",
}
KEPT_BACK = {"prompt": "prompts", "completion": "completions"}


class Found(NamedTuple):
    """What a reference leads to: a fault with a hint, a function, or neither for an import."""

    fault: str | None = None
    hint: str | None = None
    function: Function | None = None


def functions_exist(case: Case) -> None:
    """`file.py:function` names a file beside the spec and a function at its top level."""
    for path, reference in _references(case):
        # A path that leads elsewhere has an error of its own.
        if not is_inside(reference.partition(":")[0]):
            continue
        found = _look_up(case, reference)
        if found.fault is not None:
            hints = () if found.hint is None else (found.hint,)
            case.error("bad-reference", path, found.fault, *hints)


def loaders_take_nothing(case: Case) -> None:
    """A function that loads rows is called without arguments, and returns them at once."""
    for path, reference in _references(case):
        function = _look_up(case, reference).function if "data" in path[:-1] else None
        if function is None or function.decorator_list:
            continue
        if required := _required(function):
            message = f"`{reference}` takes `{required[0]}`, and is called without arguments"
            case.error("bad-signature", path, message, "give it a default")
        _returns_at_once(case, path, reference, function)


def answers_take_texts(case: Case) -> None:
    """A function that reads an answer takes a text, one that compares takes the answer and gold."""
    for path, reference in _references(case):
        function = _look_up(case, reference).function if path[0] == "answer" else None
        if function is None or function.decorator_list:
            continue
        call = ("text",) if path[1] == "extract" else ("answer", "gold")
        taken = len(function.args.posonlyargs) + len(function.args.args)
        too_few = taken < len(call) and function.args.vararg is None
        required = _required(function)
        named_only = [each.arg for each in function.args.kwonlyargs if each.arg in required]
        if too_few or named_only or len(required) > len(call):
            message = f"`{reference}` cannot be called with {quoted_list(call, 'and')} alone"
            hint = f"let it take {len(call)} positional parameter{'s' * (len(call) > 1)}"
            case.error("bad-signature", path, message, hint)
        _returns_at_once(case, path, reference, function)


def rewards_take_columns(case: Case) -> None:
    """A reward of the user's own takes `**kwargs`, and only what TRL passes."""
    for path, reference in _references(case):
        function = _look_up(case, reference).function if path[0] == "rewards" else None
        if function is None or function.decorator_list:
            continue
        if function.args.kwarg is None:
            case.error(
                "bad-signature",
                path,
                f"`{reference}` takes no `**kwargs`",
                "TRL passes every column of the data by name: end the parameters with `**kwargs`",
            )
        if function.args.posonlyargs:
            message = f"`{reference}` has positional-only parameters"
            case.error("bad-signature", path, message, "TRL passes everything by name")
        _returns_at_once(case, path, reference, function)
        for parameter in _required(function):
            _expect_parameter(case, path, reference, parameter)


def _expect_parameter(case: Case, path: KeyPath, reference: str, parameter: str) -> None:
    """Report a parameter that TRL passes nothing for."""
    data = case.spec.data
    shape = case.shape(data.train)
    gold = {"gold"} if data.gold is not None else set[str]()
    known = {*PASSED, *data.fields, *gold, *(shape.columns if shape is not None else ())}
    known -= KEPT_BACK.keys()
    if parameter in KEPT_BACK:
        message = f"`{reference}` takes `{parameter}`, which TRL does not pass"
        case.error("bad-signature", path, message, f"take `{KEPT_BACK[parameter]}`, a list")
    elif shape is not None and not shape.sampled and parameter not in known:
        meant = closest(parameter, known)
        case.error(
            "bad-signature",
            path,
            f"`{reference}` takes `{parameter}`, which is no column of the data",
            f"did you mean `{meant}`?" if meant else "give it a default, or rename it",
        )


def _returns_at_once(case: Case, path: KeyPath, reference: str, function: Function) -> None:
    if isinstance(function, ast.AsyncFunctionDef):
        message = f"`{reference}` is `async`, and is called without `await`"
        case.error("bad-signature", path, message, "write it with `def`")
    elif _yields(function.body):
        message = f"`{reference}` yields its values one by one"
        case.error("bad-signature", path, message, "collect them, and return them all at once")


def _references(case: Case) -> Iterator[tuple[KeyPath, str]]:
    for path, source in sources_of(case.spec):
        if isinstance(source, PythonSource):
            yield (*path, "python"), source.python
    if (answer := case.spec.answer) is not None:
        for key, value in (("extract", answer.extract), ("compare", answer.compare)):
            if not isinstance(value, str):
                yield ("answer", key, "python"), value.python
    for name, reward in case.spec.rewards.items():
        if reward.kind == "python":
            yield ("rewards", name, "function"), reward.function


def _look_up(case: Case, reference: str) -> Found:
    """What a reference leads to; the user's file is read and never imported."""
    file, _, name = reference.partition(":")
    module = PurePosixPath(file).stem
    if not file.endswith(".py") or not name.isidentifier() or "/" in file or not is_inside(file):
        message = f"`{shortened(reference)}` does not name a function of a file beside the spec"
        return Found(message, "write it as `my_file.py:my_function`")
    if not module.isidentifier() or keyword.iskeyword(module) or keyword.iskeyword(name):
        message = f"`{shortened(reference)}` is no name that Python can import"
        return Found(message, "use letters, digits and `_`, and no keyword")
    lowered = module.lower()  # some file systems do not tell `Data.py` from `data.py`
    if lowered in TAKEN or lowered in sys.stdlib_module_names or lowered.startswith(SCRIPTS):
        message = f"`{file}` has the name of another module"
        return Found(message, f"rename it, such as `my_{lowered}.py`")
    if not case.has_file(file):
        return Found(f"there is no file `{shortened(file)}` beside the spec")
    tree = _parsed(case, file)
    if isinstance(tree, str):
        return Found(tree)
    return _in_module(tree, file, name)


def _parsed(case: Case, file: str) -> ast.Module | str:
    """The file as Python, or why it is none."""
    try:
        # What Python warns of in the user's file is told by their own tools.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse((case.folder / file).read_bytes())
    except OSError as error:
        return f"`{file}` cannot be read: {(error.strerror or type(error).__name__).lower()}"
    except SyntaxError as error:
        where = f" on line {error.lineno}" if error.lineno else ""
        return f"`{file}` is not Python: {error.msg}{where}"
    except (ValueError, RecursionError, MemoryError) as error:
        return f"`{file}` is not Python: {error}"


def _in_module(tree: ast.Module, file: str, name: str) -> Found:
    functions: dict[str, Function | None] = {}
    classes: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                functions[node.name] = node
            case ast.ClassDef():
                classes.add(node.name)
            case ast.ImportFrom():
                functions |= dict.fromkeys(alias.asname or alias.name for alias in node.names)
            case ast.Assign():
                names = (target.id for target in node.targets if isinstance(target, ast.Name))
                functions |= dict.fromkeys(names)
            case _:
                pass
    if name in functions:
        return Found(function=functions[name])
    if name in classes:
        return Found(f"`{name}` of `{file}` is a class, not a function", "name a function")
    message = f"`{file}` has no function `{shortened(name)}` at its top level"
    meant = closest(name, functions)
    return Found(message, f"did you mean `{meant}`?" if meant else None)


def _required(function: Function) -> list[str]:
    """The parameters without a default."""
    positional = [*function.args.posonlyargs, *function.args.args]
    required = positional[: len(positional) - len(function.args.defaults)]
    keyword_only = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    return [
        *(argument.arg for argument in required),
        *(argument.arg for argument, default in keyword_only if default is None),
    ]


def _yields(body: list[ast.stmt]) -> bool:
    """Whether a function's own statements yield; those of functions inside it do not count."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            pending += ast.iter_child_nodes(node)
    return False
