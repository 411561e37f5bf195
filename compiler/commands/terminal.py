"""What is printed, and the exit codes: the one room that writes to stdout and stderr."""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable

import typer

from compiler.diagnostics import Severity
from compiler.pipeline import Findings

__all__ = [
    "BUG",
    "DONE",
    "INTERRUPTED",
    "MACHINE",
    "UNSETTLED",
    "USAGE",
    "WRONG",
    "progress",
    "say",
    "show",
    "tell",
    "verdict",
]

DONE, WRONG, USAGE, UNSETTLED, MACHINE, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 70, 130


def say(text: str) -> None:
    """Print what was asked for, as it stands."""
    typer.echo(text, nl=False)


def tell(lines: Iterable[str]) -> None:
    """Print lines about the work on stderr."""
    for line in lines:
        typer.echo(line, err=True)


def show(findings: Findings, form: str, *, to_stderr: bool = False) -> str:
    """Print the findings in a form of `--format` and give their count in words."""
    found, sources = findings.diagnostics, findings.sources
    if not found and form not in ("json", "sarif"):
        return "no errors"
    from compiler import annotations, render  # a spec that is right needs none

    match form:
        case "json":
            text = render.render_json(found, sources)
        case "concise":
            text = render.render_concise(found, sources)
        case "github":
            text = annotations.render_github(found, sources)
        case "sarif":
            text = annotations.render_sarif(found, sources)
        case _:
            stream = sys.stderr if to_stderr else sys.stdout
            text = render.render_full(found, sources, color=wants_color(stream.isatty()))
    typer.echo(text, nl=False, err=to_stderr, color=True)
    return render.summary(found)


def wants_color(terminal: bool) -> bool:  # noqa: FBT001 - a question with one answer
    """Whether text may be coloured: on a terminal, where `NO_COLOR` does not forbid it."""
    return terminal and not os.environ.get("NO_COLOR")


def verdict(findings: Findings, deny: str | None) -> int:
    """Give the exit code that the findings deserve."""
    denied = deny is not None and findings.has(Severity.WARNING)
    return WRONG if denied or findings.has(Severity.ERROR) else DONE


@contextlib.contextmanager
def progress(what: str, *, only_here: bool = False) -> Generator[Callable[[str], None], None, None]:
    """Give what is called with each line of a long run: a clock on a terminal, else the lines.

    With `only_here` the lines are for a terminal alone.
    """
    if not sys.stderr.isatty():
        yield lambda line: tell([line] * (not only_here))
        return
    from rich.console import Console  # only a terminal needs it
    from rich.markup import escape

    started = time.monotonic()
    with Console(stderr=True).status(what) as status:

        def shown(line: str) -> None:
            seconds = time.monotonic() - started
            status.update(f"{seconds:.0f} s  {escape(line[:80])}")

        yield shown
