"""Run the code of a completion on the tests of a row, each completion in a process of its own."""

import ast
import json
from datetime import timedelta
from functools import lru_cache
from threading import Lock
from typing import Any, Literal, NamedTuple

from sandbox import GRACE_SECONDS, WORKERS, Confined, Isolation

Form = Literal["asserts", "block", "programs", "calls"]
NO_PROGRAM = "it does not end well, in time and with an output of a fair size"


class Limits(NamedTuple):
    """What code may use: wall time for each test, and memory."""

    seconds: float = 5.0
    memory_mb: int = 512
    isolation: Isolation = "required"


class RowTests(NamedTuple):
    """The tests of a row, as text, so that results can be kept by them.

    `content` is JSON: a list of texts (asserts), a text (block), pairs of input and output
    (programs), or pairs of arguments and result (calls). `names` are those that the code is to
    define, None where that is not known. Without `all_of_them` what follows a failed test is not
    run. `fault` says why the cells hold no tests, which no code passes then.
    """

    form: Form
    content: str
    fault: str = ""
    setup: str = ""
    entry_point: str | None = None
    names: tuple[str, ...] | None = None
    all_of_them: bool = False
    limits: Limits = Limits()

    @property
    def number(self) -> int:
        """How many there are."""
        return 1 if self.fault or self.form == "block" else len(json.loads(self.content))


def read_tests(
    form: Form,
    cells: tuple[Any, ...],
    *,
    setup: str | None = None,
    entry_point: str | None = None,
    solution: str | None = None,
    all_of_them: bool = False,
    limits: Limits,
) -> RowTests | None:
    """The tests that the cells of a row hold, None where there are none.

    A list may stand as JSON in a text. Two lists are paired.
    """
    if any(cell is None for cell in cells):
        return None
    content: Any = []
    fault = ""
    try:
        if form == "block":
            content = str(cells[0])
        elif form == "asserts":
            content = [text for text in as_list(cells[0]) if text.strip()]
        else:
            content = list(zip(*map(as_list, cells), strict=True))
    except (AttributeError, TypeError, ValueError) as error:
        fault = f"the tests cannot be read: {error}"
    names = None if entry_point is None and solution is None else defined(solution or "")
    if names is not None and entry_point is not None:
        names = (*names, entry_point.partition(".")[0])
    if not content and not fault:
        return None
    return RowTests(
        form, json.dumps(content), fault, setup or "", entry_point, names, all_of_them, limits
    )


def as_list(cell: Any) -> list[Any]:
    """A cell that holds a list, or JSON of one; raises TypeError, and ValueError for a text."""
    found = json.loads(cell) if isinstance(cell, str) else cell
    if not isinstance(found, list):
        raise TypeError(f"there is a {type(found).__name__} where a list of tests is needed")
    return found


@lru_cache(maxsize=1024)
def defined(solution: str) -> tuple[str, ...]:
    """The names that a reference solution defines, and not those that it imports."""
    found: list[str] = []
    try:
        body = ast.parse(solution).body
    except SyntaxError:
        return ()
    for node in body:
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.append(name)
            case ast.Assign(targets=targets):
                found += [target.id for target in targets if isinstance(target, ast.Name)]
            case _:
                pass
    return tuple(found)


@lru_cache(maxsize=1024)
def lock_of(_code: str, _tests: RowTests) -> Lock:
    """A lock for the same code on the same tests, which is run once for all completions."""
    return Lock()


def outcomes(code: str, tests: RowTests) -> tuple[str, ...]:
    """For each test why it failed, "" where it did not.

    The rest is left out behind a failed one, unless all are asked for. Raises SandboxError where
    this machine cannot run the code as it should be run.
    """
    with lock_of(code, tests):
        return run_all(code, tests)


@lru_cache(maxsize=1024)
def run_all(code: str, tests: RowTests) -> tuple[str, ...]:
    """The outcomes of the tests; the last ones are remembered."""
    if tests.fault:
        return (tests.fault,)
    if tests.form == "programs":
        return run_programs(code, tests)
    found: list[str] = []
    while len(found) < tests.number and (tests.all_of_them or not any(found)):
        # A test that ends the process, or takes too long, leaves the others to another one.
        found += run_one(code, tests, len(found))
    return tuple(found)


def run_one(code: str, tests: RowTests, first: int) -> list[str]:
    """The outcomes of the tests from the first on, until one ends the process."""
    job = {"code": code, "setup": tests.setup, **job_limits(tests.limits, tests.number - first)}
    with Confined("code_runner.run_tests", job, tests.limits.isolation) as process:
        found = converse(process, tests, first)
        process.finish(GRACE_SECONDS)
    return found


def converse(process: Confined, tests: RowTests, first: int) -> list[str]:
    """Send the tests once the code is there, and hear the outcomes, one at least."""
    content, count = json.loads(tests.content), tests.number - first
    seconds = tests.limits.seconds + GRACE_SECONDS
    ended = f"the process ended, or had no end within {tests.limits.seconds:g} s"
    why = process.receive(seconds)  # of the code
    if why == "":
        process.send(
            {
                "form": tests.form,
                "tests": content if tests.form == "block" else content[first:],
                "setup": tests.setup,
                "entry_point": tests.entry_point,
                "names": tests.names,
                "all_of_them": tests.all_of_them,
            }
        )
        why = process.receive(seconds)  # of the setup
    if why != "":
        return [ended if why is None else why] * count
    found: list[str] = []
    while len(found) < count and (tests.all_of_them or not any(found)):
        why = process.receive(seconds)
        if why is None and found:
            break  # the test before it ended the process
        found.append(ended if why is None else why)
    return found


def run_programs(code: str, tests: RowTests) -> tuple[str, ...]:
    """The outcomes of inputs and outputs, each with a program of its own."""
    found: list[str] = []
    for given, expected in json.loads(tests.content):
        job = {"code": code, "setup": tests.setup, **job_limits(tests.limits, 0)}
        with Confined("code_runner.run_program", job, tests.limits.isolation) as process:
            process.send_bytes(given.encode())
            output = process.receive_all(tests.limits.seconds)
        if output is None:
            found.append(NO_PROGRAM)
        else:
            text = output.decode(errors="replace")
            found.append("" if lines(text) == lines(expected) else f"it writes {text[:200]!r}")
        if found[-1] and not tests.all_of_them:
            break
    return tuple(found)


def lines(text: str) -> list[str]:
    """The lines of an output, without blanks at their ends and without last empty ones."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n").split("\n")


def job_limits(limits: Limits, tests: int) -> dict[str, float]:
    """The limits as a process sets them; its processor time is a second fence behind the clock."""
    return {
        "timeout_seconds": limits.seconds,
        "memory_bytes": limits.memory_mb * 2**20,
        "cpu_seconds": int((tests + 2) * (limits.seconds + 1)) + 10,
    }


def worst_step(reward: str, tests: list[RowTests | None], completions: int) -> str:
    """How long one step may take, where each test of each completion takes all of its time."""
    found = [each for each in tests if each is not None]
    count = max((each.number for each in found), default=0)
    seconds = max((each.limits.seconds for each in found), default=0.0)
    longest = timedelta(seconds=round(count * seconds * completions / WORKERS))
    work = f"{count} tests of {seconds:g} s for each of {completions} completions"
    return f"`{reward}` takes {longest} (h:mm:ss) a step at worst: {work}, {WORKERS} at once"
