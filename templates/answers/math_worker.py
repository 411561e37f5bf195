r"""Compare mathematics in a process that may be killed.

`math_grader.py` starts this file and sends one line of JSON a comparison. LaTeX comes in as text,
`true` or `false` goes out; nothing of an answer is evaluated as Python.
"""

import json
import os
import resource
import signal
import sys
from functools import lru_cache
from typing import TextIO

from latex2sympy2_extended import NormalizationConfig
from math_verify import LatexExtractionConfig, parse, verify
from sympy import Abs, Basic, Expr, FiniteSet, I, N, Symbol, nan, simplify, zoo

# Of the processor and not of the clock, so that a busy machine makes no answer wrong.
SECONDS = 1.0
MEMORY = 2**30  # bytes
# Numbers are worked out to so many digits, for which sympy raises its own precision as needed, and
# are the same where the first 25 agree.
DIGITS = 30
AGREEING = 1e-25
# Units and boxes are taken off before, by the rules of the spec.
READING = LatexExtractionConfig(
    boxed_match_priority=-1,
    normalization_config=NormalizationConfig(
        basic_latex=True, malformed_operators=True, nits=True, boxed="none"
    ),
)


def main() -> None:
    """Serve in a child process, and in a new one where that was killed."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # What a library prints is no reply, and its warnings of single answers are nobody's business.
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    same_values([r"\frac{x}{2}"], ["0.5x"], 0.0, 0.0)  # the first one fills the libraries' caches
    while True:
        child = os.fork()  # with all that is loaded, so that a new one is there at once
        if child == 0:
            serve(channel)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return  # the channel was closed
        send(channel, None, None)


def serve(channel: TextIO) -> None:
    """Answer each line until the channel is closed."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # the kernel ends the process, even inside C
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for line in sys.stdin:
        request = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            result = same_values(**request["comparison"])
        except MemoryError:
            os._exit(1)
        except Exception as error:  # noqa: BLE001  # the other side counts what went wrong
            result = f"{type(error).__name__}: {error}"[:500]
        signal.setitimer(signal.ITIMER_PROF, 0)
        send(channel, request["number"], result)


def send(channel: TextIO, number: int | None, result: object) -> None:
    """Say what became of a comparison: whether both are the same, what went wrong, or None."""
    channel.write(json.dumps({"number": number, "result": result}) + "\n")
    channel.flush()


def same_values(
    answer: list[str], gold: list[str], tolerance: float, relative_tolerance: float
) -> bool:
    """Whether each value of the answer is one of the gold, and each of the gold is given."""
    found, wanted = values(answer), values(gold)
    if not found or not wanted:
        return False
    same = [[same_value(g, f, tolerance, relative_tolerance) for f in found] for g in wanted]
    return all(map(any, same)) and all(map(any, zip(*same, strict=True)))


def values(terms: list[str]) -> list[Basic] | None:
    """The values of all terms, None where one cannot be read; those of a set count one by one."""
    found: list[Basic] = []
    for term in terms:
        value = value_of(term)
        if value is None:
            return None
        found += value.args if isinstance(value, FiniteSet) and value.args else [value]
    return found


@lru_cache(maxsize=1000)
def value_of(term: str) -> Basic | None:
    """What LaTeX stands for, None where it cannot be read as a whole or is not defined."""
    # With delimiters, since nothing is read without them, and the first match only: behind it
    # stand parts of the same text.
    found = parse(
        f"${term}$",
        [READING],
        fallback_mode="no_fallback",
        extraction_mode="first_match",
        parsing_timeout=0,
    )
    if not found or found[0].has(nan, zoo):
        return None
    # Whether letters are real numbers must not hang on how the text is written: `2i` or `2 i`.
    free = {letter: Symbol(letter.name, real=True) for letter in found[0].free_symbols}
    free |= {letter: I for letter in free if letter.name == "i"}
    # What is replaced by itself would be worked out again, and an equation lost with it.
    return found[0].xreplace({old: new for old, new in free.items() if old != new})


def same_value(gold: Basic, answer: Basic, tolerance: float, relative_tolerance: float) -> bool:
    """Whether two values are one: numbers by their digits, all else as Math-Verify says."""
    if gold == answer:
        return True
    if isinstance(gold, Expr) and isinstance(answer, Expr) and is_number(gold, answer):
        return close_values(gold, answer, tolerance, relative_tolerance)
    # The gold comes first: what an equation stands for depends on the order.
    return verify(gold, answer, numeric_precision=DIGITS, timeout_seconds=None, raise_on_error=True)


def is_number(*values: Expr) -> bool:
    """Whether all values are finite numbers."""
    return all(value.is_number is True and value.is_finite is True for value in values)


def close_values(gold: Expr, answer: Expr, tolerance: float, relative_tolerance: float) -> bool:
    """Whether two numbers are within a tolerance, or the same as far as they are worked out."""
    difference, size = N(Abs(gold - answer), DIGITS), N(Abs(gold), DIGITS)
    if difference.is_Float and size.is_Float:
        allowed = max(tolerance, size * relative_tolerance, size * AGREEING)
        if difference <= allowed:
            return True
    return bool(simplify(gold - answer) == 0)
