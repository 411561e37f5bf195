"""Run code that a model wrote, on tests or as a program. Nothing in here trusts that code.

Runs inside a confined process, on the standard library alone.
"""

import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from confinement import confine
from handles import Handle
from messages import read_message, write_message
from wire import Line

TOLD = 300  # characters of why a test failed
TESTS_MEMORY = 512 * 2**20  # for the process that holds the tests, beside what the code may have


class TimeUp(BaseException):
    """A test has had its time. No `Exception`, so that fewer tests swallow it."""


def run_tests() -> None:
    """Read code, run it in a process of its own, read the tests, and tell what came of each.

    The tests are evaluated in this process. The names of the code stand for handles of that other
    one, which sees the arguments of calls and nothing else of the tests. Written are what is in
    force; then for the code, for the tests' setup and for each test why it failed, "" where it
    did not. A process that ends before it has told of a test has failed it.
    """
    job = read_message(0)
    to_code, to_tests = os.pipe(), os.pipe()
    code = os.fork()
    if code == 0:
        os.close(to_code[1])
        os.close(to_tests[0])
        serve_code(job, to_code[0], to_tests[1])
    os.close(to_code[0])
    os.close(to_tests[1])
    try:
        hold_tests(job, code, to_tests[0], to_code[1])
    finally:
        # Whoever inherits a process may never ask what became of it.
        os.kill(code, signal.SIGKILL)
        os.waitpid(code, 0)


def hold_tests(job: dict[str, Any], code: int, reading: int, writing: int) -> None:
    """Do what `run_tests` promises, with the code in a process that reads and writes there."""
    results = os.dup(1)
    discard(1)  # what the tests print
    memory = job["memory_bytes"] + TESTS_MEMORY
    own = confine(None, (), memory, job["cpu_seconds"], children=(code,))
    theirs = read_message(reading)  # the code is run after this was written
    discard(2)
    write_message(results, [part for part in theirs if part in own])
    bench = Bench(Line(reading, writing, guards=True), results, job["timeout_seconds"])
    names: dict[str, Any] = {}
    if bench.tell(lambda: names.update(bench.line.ask("define"))):
        return
    tests = read_message(0)  # only now are they anywhere outside of the training process
    namespace: dict[str, Any] = {"__name__": "tests"}
    if bench.tell(lambda: prepare(namespace, names, tests)):
        return
    for test in each_test(tests, namespace, names):
        why = bench.tell(test, asks=True)
        if bench.line.broken or (why and not tests["all_of_them"]):
            return


def run_program() -> None:
    """Read code and run it as a program: what follows in stdin is its input."""
    job = read_message(0)
    write_message(1, confine(job["folder"], (), job["memory_bytes"], job["cpu_seconds"]))
    discard(2)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    run(job["setup"], "<setup>", module.__dict__)
    run(job["code"], "<code>", module.__dict__)


class Bench:
    """Runs one test after the other, each within its time, and tells what came of it."""

    def __init__(self, line: Line, results: int, seconds: float) -> None:
        self.line, self.results, self.seconds = line, results, seconds
        self.running = False
        signal.signal(signal.SIGALRM, self.time_is_up)

    def tell(self, action: Callable[[], object], *, asks: bool = False) -> str:
        """Do something and write why it failed, "" where it did not.

        `asks` fails what asked the code for nothing, and would hold for any code.
        """
        why, before = "", self.line.asked
        try:
            self.running = True
            # Again and again, where what runs swallows it.
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 0.1)
            action()
            self.running = False
        except BaseException as error:
            self.running = False
            why = f"{type(error).__name__}: {error}".removesuffix(": ")
        if asks and not why and self.line.asked == before:
            why = "the test asks nothing of the code"
        why = (self.line.broken or why)[:TOLD]
        write_message(self.results, why)
        return why

    def time_is_up(self, *_: object) -> None:
        """End what runs. The code may still be at it, so that it cannot be asked again."""
        if self.running:
            self.line.broken = f"no end within {self.seconds:g} s"
            raise TimeUp


def serve_code(job: dict[str, Any], reading: int, writing: int) -> NoReturn:
    """Run the code and answer for its names until the tests are through."""
    try:
        discard(0, 1)
        try:
            in_force = confine(job["folder"], (), job["memory_bytes"], job["cpu_seconds"])
        except OSError as error:
            os.write(2, str(error).encode())
            raise
        discard(2)
        write_message(writing, in_force)
        line = Line(reading, writing, guards=False)
        line.offered["define"] = lambda: define(job["setup"], job["code"])
        line.serve()
    finally:
        os._exit(1)


def define(setup: str, code: str) -> dict[str, Any]:
    """The functions, classes and single values that the code has at its top level."""
    module = types.ModuleType("solution")
    sys.modules["solution"] = module  # where dataclasses and type hints look their names up
    run(setup, "<setup>", module.__dict__)
    run(code, "<code>", module.__dict__)
    kept_back = (types.ModuleType, list, dict, set)
    names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return {name: value for name, value in names.items() if not isinstance(value, kept_back)}


def prepare(namespace: dict[str, Any], names: dict[str, Any], tests: dict[str, Any]) -> None:
    """Fill the namespace of the tests: the code's names, and the setup's, which win.

    `names` of the tests are those that the code is to define, and win over both; without them the
    code's names are taken where no builtin has them. A class of the setup is the code's as well,
    where its objects live.
    """
    asked_for = tests["names"]
    builtin = vars(__builtins__) if isinstance(__builtins__, types.ModuleType) else __builtins__
    namespace |= {
        name: value
        for name, value in names.items()
        if (name in asked_for if asked_for is not None else name not in builtin)
    }
    run(tests["setup"], "<setup>", namespace)
    for name, value in names.items():
        made_there = getattr(namespace.get(name), "__module__", None) == "tests"
        is_class = made_there and isinstance(namespace[name], type)
        if is_class or (asked_for is not None and name in asked_for):
            namespace[name] = value


def each_test(
    tests: dict[str, Any], namespace: dict[str, Any], names: dict[str, Any]
) -> Iterator[Callable[[], None]]:
    """The tests, each to be called."""
    match tests["form"]:
        case "asserts":
            for text in tests["tests"]:
                yield lambda text=text: run(text, "<test>", namespace)
        case "block":
            yield lambda: run_block(tests, namespace, names)
        case _:
            for given, expected in tests["tests"]:
                yield lambda given=given, expected=expected: run_call(
                    entry_point(tests, names), given, expected
                )


def run_block(tests: dict[str, Any], namespace: dict[str, Any], names: dict[str, Any]) -> None:
    """Run a block of tests, the functions `test_...` in it, and `check` on the entry point."""
    run(tests["tests"], "<test>", namespace)
    own = {name: value for name, value in namespace.items() if type(value) is types.FunctionType}
    if "check" in own:
        own["check"](entry_point(tests, names))
    for name, function in own.items():
        if name.startswith("test_"):
            function()


def run_call(function: Any, given: Any, expected: Any) -> None:
    """Call the entry point and compare; JSON has no tuples. Raises AssertionError."""
    result = function(**given) if isinstance(given, dict) else function(*given)
    if listed(result) != listed(expected):
        raise AssertionError(f"{result!r} is not {expected!r}")


def entry_point(tests: dict[str, Any], names: dict[str, Any]) -> Any:
    """The function, or the method of a class, that is tested; raises NameError and ValueError."""
    if tests["entry_point"] is None:
        raise ValueError("the tests define `check`, and no entry point says what it checks")
    name, _, method = tests["entry_point"].partition(".")
    if name not in names:
        raise NameError(f"name '{name}' is not defined")
    return getattr(names[name](), method) if method else names[name]


def listed(value: Any) -> Any:
    """A value with lists in the place of tuples."""
    if isinstance(value, Handle):
        return value
    if isinstance(value, list | tuple):
        return [listed(item) for item in value]
    return {key: listed(item) for key, item in value.items()} if type(value) is dict else value


def run(text: str, name: str, namespace: dict[str, Any]) -> None:
    """Run Python text. This is where code of the model and of the data set is executed."""
    exec(compile(text, name, "exec"), namespace)  # noqa: S102  # in a process shut off for it


def discard(*places: int) -> None:
    """Lead what is read from or written to these places nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for place in places:
        os.dup2(nowhere, place)
    os.close(nowhere)
