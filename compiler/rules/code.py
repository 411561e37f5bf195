"""Rewards that run code or queries: their columns, the form of their tests, and the database."""

import ast
import warnings

from compiler.closest import shortened
from compiler.resolve.solutions import reward_columns
from compiler.rules.case import Case, is_inside
from compiler.rules.files import report_missing_file

__all__ = [
    "databases_are_sqlite",
    "entry_points_are_known",
    "row_columns_arrive",
    "setups_are_python",
    "shares_are_counted",
]

# TRL hands these columns over under other names, or not at all (grpo_trainer.py).
KEPT_BACK = ("prompt", "completion")
SQLITE = b"SQLite format 3\0"  # the first bytes of a file (sqlite.org/fileformat.html)


def row_columns_arrive(case: Case) -> None:
    """A reward sees the columns that it names: TRL keeps some of them back."""
    for name, reward in case.spec.rewards.items():
        for keys, column in reward_columns(reward):
            if column in KEPT_BACK:
                case.error(
                    "reserved-column",
                    ("rewards", name, *keys),
                    f"reward `{name}` reads `{column}`, a column that TRL keeps back",
                    f'add `fields = {{ row_{column} = {{ column = "{column}" }} }}` to `[data]`, '
                    f"and name `row_{column}`",
                )


def entry_points_are_known(case: Case) -> None:
    """Calls need a function to call; programs have none."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "code_tests":
            continue
        forms = type(reward.tests).model_fields
        path, entry = ("rewards", name, "entry_point"), reward.entry_point
        if "arguments" in forms and entry is None:
            case.error(
                "missing-key",
                ("rewards", name, "tests"),
                f"reward `{name}` has arguments and results, and no function to call",
                'add `entry_point = "solve"`, or `entry_point = { column = "..." }`',
                at="key",
            )
        elif "stdin" in forms and entry is not None:
            message = "`entry_point` has no effect on programs, which are run as a whole"
            case.warning("no-effect", path, message, "leave it out", at="key")
        elif isinstance(entry, str) and not all(map(str.isidentifier, entry.split(".", 1))):
            message = f"`{shortened(entry)}` names no function"
            case.error("bad-value", path, message, "write it as `solve` or `Solution.solve`")


def shares_are_counted(case: Case) -> None:
    """A share is of tests that are told apart; a block is a single one."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "code_tests" or reward.score != "share":
            continue
        if "block" in type(reward.tests).model_fields:
            case.error(
                "conflicting-keys",
                ("rewards", name, "score"),
                "a block of tests passes or not: there is no share of it",
                'write `score = "all"`, or give the tests as a list of `asserts`',
                related=((("rewards", name, "tests"), "the tests"),),
            )


def setups_are_python(case: Case) -> None:
    """A setup that the spec writes out can be parsed."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "code_tests" or not isinstance(reward.setup, str):
            continue
        try:
            # What Python warns of is no reason to refuse it.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(reward.setup)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = error.msg if isinstance(error, SyntaxError) else str(error)
            message = f"`setup` is not Python: {said}"
            case.error("bad-value", ("rewards", name, "setup"), message)


def databases_are_sqlite(case: Case) -> None:
    """The database of a query is there, and is one of SQLite."""
    for name, reward in case.spec.rewards.items():
        if reward.kind != "sql" or not is_inside(reward.database):
            continue
        path = ("rewards", name, "database")
        if not case.has_file(reward.database):
            report_missing_file(case, path, reward.database)
            continue
        try:
            with (case.folder / reward.database).open("rb") as file:
                is_sqlite = file.read(len(SQLITE)) == SQLITE
        except OSError as error:
            said = (error.strerror or type(error).__name__).lower()
            message = f"`{shortened(reward.database)}` cannot be read: {said}"
            case.error("unreadable-data", path, message)
            continue
        if not is_sqlite:
            message = f"`{shortened(reward.database)}` is no SQLite database"
            case.error("unreadable-data", path, message, "make one with `sqlite3`")
