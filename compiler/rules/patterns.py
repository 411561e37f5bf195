"""Regular expressions of the spec: they compile, and their cost stays within bounds.

A generated reward runs such a pattern over whole completions with no clock of its own: what bounds
it is that the cost of every pattern that gets so far grows as a power of the completion's length,
which `max_completion_length` limits. Patterns that could grow faster are tried here, in a process
of their own, on texts made to show it; what counts is how the cost grows, not how long it takes.
"""

import json
import re
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from compiler.closest import shortened
from compiler.parse import KeyPath
from compiler.rules.case import Case
from spec_schema import TaskSpec
from spec_schema.answer import RegexAnswer

__all__ = ["PatternError", "compiled", "exploding_text", "patterns_stay_cheap"]

TRIAL = Path(__file__).with_name("pattern_trial.py")
SECONDS = 60  # for a machine under load; a trial that takes longer says nothing
SHOWN = 6  # bodies of the text that is shown


class PatternError(Exception):
    """A text that is no regular expression; the text says why."""


class _Used(NamedTuple):
    """A pattern of the spec, and how the project uses it."""

    path: KeyPath
    pattern: str
    flags: int
    method: str


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, ready to be used; raises `PatternError`."""
    try:
        # What Python may read differently one day (`[[`) is no business of a check.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise PatternError(str(error)) from error


def patterns_stay_cheap(case: Case) -> None:
    """The cost of a pattern does not grow exponentially with the text."""
    for used in _patterns(case.spec):
        text = exploding_text(used.pattern, used.flags, used.method)
        if text is not None:
            case.error(
                "slow-pattern",
                used.path,
                f"the cost of the pattern grows exponentially, as on `{shortened(text)}`",
                "let no repeat stand inside a repeat that could take the same text: "
                "`(\\w+ ?)+` is `[\\w ]+`",
            )


@cache
def exploding_text(pattern: str, flags: int, method: str) -> str | None:
    """A text whose growth makes a pattern exponentially slow, None where none was found."""
    from compiler.rules.pattern_shape import is_safe, pumps_of

    try:
        compiled(pattern)
        if is_safe(pattern):
            return None
        pumps = pumps_of(pattern)
    except (PatternError, RecursionError):
        return None
    import subprocess

    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(TRIAL)],
            input=json.dumps([pattern, flags, method, pumps]).encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    *steps, last = done.stdout.decode().split()
    # The processor's limit ends a step that follows on one which took next to nothing.
    if last == "explodes" or done.returncode < 0:
        return pumps[int(steps[-1] if last == "explodes" else last)].text(SHOWN)
    return None


def _patterns(spec: TaskSpec) -> Iterator[_Used]:
    """The patterns of a spec with the place of each."""
    if isinstance(spec.answer, RegexAnswer):
        yield _Used(("answer", "pattern"), spec.answer.pattern, 0, "findall")
    for name, reward in spec.rewards.items():
        if reward.kind == "regex_format":
            path = ("rewards", name, "pattern")
            yield _Used(path, reward.pattern, int(re.DOTALL), "fullmatch")
        elif reward.kind == "forbidden":
            for position, pattern in enumerate(reward.patterns):
                path = ("rewards", name, "patterns", position)
                yield _Used(path, pattern, 0, "search")
