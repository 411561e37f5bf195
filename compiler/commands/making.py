"""The command that makes a project from answers: `new`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from compiler.commands.options import SPEC
from compiler.commands.reading import resolve_specs
from compiler.commands.terminal import tell

__all__ = ["new"]


def new(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="DIR", help="The new folder; left out: the project's name."),
    ] = None,
    *,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A TOML file with answers; these are not asked."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Ask nothing; take what is suggested.")
    ] = False,
) -> None:
    """Ask a few questions and make a project: a commented spec, sample rows, and the code."""
    import tempfile  # nothing else writes before all is right

    from compiler.copying import copied_sources
    from compiler.new_project import apply_into, refuse_used
    from compiler.outcome import done_lines
    from compiler.questionnaire import BadAnswer, draft, read_answers

    if folder is not None:
        refuse_used(folder)  # before anything is asked
    with tempfile.TemporaryDirectory(prefix="trainspec-") as place:
        try:
            given = {} if answers is None else read_answers(answers)
            ask = sys.stdin.isatty() and sys.stdout.isatty() and not defaults
            name = draft(Path(place), folder, given, defaults=defaults, ask=ask)
        except BadAnswer as error:
            raise typer.BadParameter(str(error)) from error
        [resolved] = resolve_specs([Path(place) / SPEC], None, "full", None)
        target = Path(name) if folder is None else folder
        compiled, texts = copied_sources(resolved, target, rewritten=False)
        changes = apply_into(resolved.project, target, texts, compiled)
    tell(done_lines(str(target), changes))
    tell(_next_lines(target))


def _next_lines(target: Path) -> list[str]:
    spec = target / SPEC
    return [
        f"hint: the task stands in `{spec}`, with a reason at each line; compile after a change",
        f"hint: `trainspec smoke {spec}` trains it a few steps on a tiny model, on this machine",
    ]
