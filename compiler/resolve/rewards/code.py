"""How rewards that run a completion's code or query score it, and the files that do so."""

from compiler.literals import literal, text_literal
from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.rewards.scoring import COMPLETION, TEXT, Column, Scoring
from compiler.resolve.solutions import running_files
from compiler.resolve.thinking import begins_thinking
from spec_schema import TaskSpec
from spec_schema.rewards.code import (
    AssertTests,
    BlockTests,
    CodeTestsReward,
    ProgramTests,
    RowText,
)
from spec_schema.rewards.sql import SqlReward

__all__ = ["confined_files", "score_code_tests", "score_sql", "worst_steps"]

THREADS = "from concurrent.futures import ThreadPoolExecutor"
DEFAULTS = CodeTestsReward.model_fields | SqlReward.model_fields


def confined_files(spec: TaskSpec) -> tuple[PlannedFile, ...]:
    """The files that run code of completions, none where no reward does."""
    files = running_files(spec)
    modules = {path.removesuffix(".py"): path.removesuffix(".py") for path in files}
    return tuple(
        PlannedFile(path, f"{path}.jinja", None, pieces, modules) for path, pieces in files.items()
    )


def score_code_tests(constant: str, reward: CodeTestsReward, inputs: Inputs) -> Scoring:
    """Run the code on the tests of the row."""
    cells = [(name, getattr(reward.tests, name)) for name in type(reward.tests).model_fields]
    columns = [COMPLETION, *(_cell(name, column) for name, column in cells)]
    constants = [(f"{constant}_LIMITS", _call("Limits", reward, ("timeout_seconds", "memory_mb")))]
    named: list[tuple[str, str, str]] = []
    for key in ("setup", "entry_point", "solution"):
        match getattr(reward, key):
            case None:
                continue
            case RowText(column=column):
                columns.append(_cell(key, column))
                named.append((key, key, columns[-1].of_row))
            case text:
                constants.append((f"{constant}_{key.upper()}", text_literal(text)))
                named.append((key, constants[-1][0], constants[-1][0]))
    if reward.score == "share":
        named.append(("all_of_them", "True", "True"))
    named.append(("limits", constants[0][0], constants[0][0]))
    given = columns[1 : 1 + len(cells)]
    score = _tests(reward, [cell.item for cell in given], {key: item for key, item, _ in named})
    explain = _tests(reward, [cell.of_row for cell in given], {key: row for key, _, row in named})
    code, pieces, uses = _code(inputs)
    return Scoring(
        ("code_tests", *pieces),
        f"score_code_tests({code}, {score})",
        f"explain_code_tests({code}, {explain})",
        tuple(columns),
        tuple(constants),
        imports=(THREADS, "from run_code import Limits, read_tests"),
        uses=uses,
        waits=True,
    )


def score_sql(constant: str, reward: SqlReward, inputs: Inputs) -> Scoring:
    """Run the query and the row's own on the database."""
    solution = _cell("solution", reward.solution.column)
    place = f"Path(__file__).parent / {text_literal(reward.database)}"
    keys = ("timeout_seconds", "memory_mb", "max_rows")
    code, pieces, uses = _code(inputs)
    limits = f"{constant}_LIMITS"
    return Scoring(
        ("sql", *pieces),
        f"score_sql({code}, {solution.item}, {limits})",
        f"explain_sql({code}, {solution.of_row}, {limits})",
        (COMPLETION, solution),
        ((limits, _call("QueryLimits", reward, keys, place)),),
        imports=(THREADS, "from run_query import QueryLimits"),
        uses=uses,
        waits=True,
    )


def _cell(name: str, column: str) -> Column:
    """A column of the data, which may have any name."""
    key = f"[{text_literal(column)}]"
    return Column(f"columns{key}", name, f"row{key}")


def _call(
    record: str, reward: CodeTestsReward | SqlReward, keys: tuple[str, ...], *first: str
) -> str:
    """The limits that differ from the defaults of their record."""
    said = {key: getattr(reward, key) for key in (*keys, "isolation")}
    fields = {"timeout_seconds": "seconds"}
    given = [
        f"{fields.get(key, key)}={literal(value)}"
        for key, value in said.items()
        if value != DEFAULTS[key].default
    ]
    return f"{record}({', '.join([*first, *given])})"


def _tests(reward: CodeTestsReward, cells: list[str], named: dict[str, str]) -> str:
    """The call that reads the tests of a row."""
    form = _form(reward)
    options = "".join(f", {key}={code}" for key, code in named.items())
    return f'read_tests("{form}", ({", ".join(cells)},){options})'


def _form(reward: CodeTestsReward) -> str:
    match reward.tests:
        case AssertTests():
            return "asserts"
        case BlockTests():
            return "block"
        case ProgramTests():
            return "programs"
        case _:
            return "calls"


def _code(inputs: Inputs) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The code of a completion as an expression, with the pieces and functions that it takes."""
    spec = inputs.spec
    if spec.answer is not None and spec.answer.extract == "code" and spec.data.gold is not None:
        return f"read_answer({TEXT})", (), ()
    opened = ", opened=True" if begins_thinking(spec) else ""
    said = f"after_thinking({TEXT}{opened})"
    return f"last_code({said})", ("last_code",), (("thinking", "after_thinking"),)


def worst_steps(spec: TaskSpec, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    """Statements that print how long a step may take, for rewards that run tests."""
    found: list[str] = []
    for name, reward in spec.rewards.items():
        steps = [stage.batch.size for stage in stages if name in _called(stage)]
        if reward.kind != "code_tests" or not steps:
            continue
        cells = [f"row[{text_literal(column)}]" for column in reward.tests.model_dump().values()]
        limits = f"Limits(seconds={literal(reward.timeout_seconds)})"
        each = f"[{_tests(reward, cells, {'limits': limits})} for row in train]"
        found.append(f'print("train", worst_step("{name}", {each}, {max(steps)}))')
    return tuple(found)


def _called(stage: StagePlan) -> set[str]:
    """The rewards that a stage calls."""
    return set() if stage.mix is None else {name for name, _ in stage.mix.weights}
