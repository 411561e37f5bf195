"""Rewards that run what a completion says: the solutions of rows, and the files that run them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from compiler.literals import Template, parse_template, text_literal
from spec_schema import TaskSpec
from spec_schema.rewards import Reward

if TYPE_CHECKING:
    from spec_schema.rewards.code import CodeTestsReward

__all__ = [
    "RUNNING_FILES",
    "made_cells",
    "reward_columns",
    "running_files",
    "solution_columns",
    "solved",
]

# The files of each kind; each has a template of its name, and holds these pieces.
_BOTH = {"sandbox.py": ("sandbox",), "confinement.py": ("confinement",)}
RUNNING_FILES: dict[str, dict[str, tuple[str, ...]]] = {
    "code_tests": _BOTH
    | {
        "run_code.py": ("run_code",),
        "code_runner.py": ("messages", "handles", "wire", "code_runner"),
    },
    "sql": _BOTH
    | {"run_query.py": ("run_query",), "query_runner.py": ("messages", "query_runner")},
}
_LANGUAGES = {"code_tests": "python", "sql": "sql"}


def running_files(spec: TaskSpec) -> dict[str, tuple[str, ...]]:
    """The files that run code of completions with their pieces, none where no reward does."""
    found: dict[str, tuple[str, ...]] = {}
    for reward in spec.rewards.values():
        found |= RUNNING_FILES.get(reward.kind, {})
    return found


def solution_columns(spec: TaskSpec) -> tuple[str, ...]:
    """The columns of solutions, which have to hold text; fields of `[data]` are none."""
    found = (column for _, column in _solutions(spec))
    return tuple(column for column in dict.fromkeys(found) if column not in spec.data.fields)


def solved(spec: TaskSpec) -> Template | None:
    """The ideal completion that the solution of a row makes, None without one."""
    for kind, column in _solutions(spec):
        return ((f"```{_LANGUAGES[kind]}\n", column), ("\n```", None))
    return None


def made_cells(spec: TaskSpec) -> dict[str, str]:
    """What made rows hold for these rewards, by column: expressions of `number`."""
    cells: dict[str, str] = {}
    for reward in spec.rewards.values():
        if reward.kind == "sql":
            cells[reward.solution.column] = 'f"SELECT {number}"'
        elif reward.kind == "code_tests":
            cells |= _made_tests(spec, reward)
    return cells


def _solutions(spec: TaskSpec) -> Iterator[tuple[str, str]]:
    """The kind and the column of each reward that names a solution."""
    for reward in spec.rewards.values():
        for keys, column in reward_columns(reward):
            if keys == ("solution", "column"):
                yield reward.kind, column


def _made_tests(spec: TaskSpec, reward: "CodeTestsReward") -> dict[str, str]:
    """Tests that the made solution of their row passes, and no other."""
    entry = reward.entry_point if isinstance(reward.entry_point, str) else "solve"
    name, _, method = entry.partition(".")
    call, code = f"{name}()", f"def {name}(*values):\n    return {{number}}\n"
    if method:
        call = f"{name}().{method}()"
        code = f"class {name}:\n    def {method}(self, *values):\n        return {{number}}\n"
    cells = dict(_made_inputs(reward, call))
    if "stdin" in type(reward.tests).model_fields:
        code = "print({number})\n"
    for given, text in ((reward.setup, ""), (reward.entry_point, entry)):
        if given is not None and not isinstance(given, str):
            cells[given.column] = text_literal(text)
    return cells | _made_code(spec, reward, f"f{text_literal(code)}")


def _made_inputs(reward: "CodeTestsReward", call: str) -> Iterator[tuple[str, str]]:
    """The cells of the tests."""
    match list(reward.tests.model_dump().items()):
        case [("asserts", column)]:
            yield column, f'[f"assert {call} == {{number}}"]'
        case [("block", column)] if reward.entry_point is None:
            yield column, f'f"assert {call} == {{number}}"'
        case [("block", column)]:
            yield column, 'f"def check(candidate):\\n    assert candidate() == {number}\\n"'
        case [("stdin", given), (_, result)]:
            yield given, '[""]'
            yield result, '[f"{number}"]'
        case [(_, given), (_, result)]:
            yield given, "[[number]]"
            yield result, "[number]"
        case _:
            pass


def _made_code(spec: TaskSpec, reward: "CodeTestsReward", code: str) -> dict[str, str]:
    """The solution, or the columns that the ideal completion is put together of."""
    if reward.solution is not None:
        return {reward.solution.column: code}
    parts = parse_template(spec.prompt.assistant or "")
    columns = [name for _, name in parts if name is not None and name not in spec.data.fields]
    comments = dict.fromkeys(columns, 'f"# {number}\\n"')
    return comments | ({columns[-1]: code} if columns else {})


def reward_columns(reward: Reward) -> Iterator[tuple[tuple[str, ...], str]]:
    """The columns that a reward reads beside the gold, each with its keys in the reward's table."""
    if reward.kind == "sql":
        yield ("solution", "column"), reward.solution.column
    elif reward.kind == "code_tests":
        for key, column in reward.tests.model_dump().items():
            yield ("tests", key), column
        for key in ("setup", "entry_point", "solution"):
            given = getattr(reward, key)
            if given is not None and not isinstance(given, str):
                yield (key, "column"), given.column
