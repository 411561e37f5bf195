"""The command that trains a project a few steps: `smoke`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from compiler.commands.options import SPEC, Form, Settings, Spec, Trust
from compiler.commands.reading import resolve_specs
from compiler.commands.terminal import progress, say, tell
from compiler.manifest import belongs_to, is_compiled
from compiler.pipeline import Resolved

__all__ = ["smoke"]


def smoke(
    spec: Spec = SPEC,
    python: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The Python with the training packages."),
    ] = None,
    *,
    trust: Trust = False,
    settings: Settings = None,
    form: Form = "full",
) -> None:
    """Train every stage a few steps on a tiny model, offline."""
    [resolved] = resolve_specs([spec], settings, form, None, trust=trust)
    from compiler.apply import mend

    project, name = resolved.project, resolved.source.path.name
    mend(project)  # what is smoked is a whole project
    if not settings and is_compiled(project) and belongs_to(project, name):
        raise typer.Exit(_smoke(resolved, project, python, form))
    import tempfile  # a check writes nothing

    from compiler.copying import copied_sources
    from compiler.new_project import apply_into

    with tempfile.TemporaryDirectory(prefix="trainspec-") as folder:
        project = Path(folder) / "project"
        compiled, texts = copied_sources(resolved, project, rewritten=bool(settings))
        apply_into(resolved.project, project, texts, compiled)
        raise typer.Exit(_smoke(resolved, project, python, form))


def _smoke(resolved: Resolved, project: Path, python: Path | None, form: str) -> int:
    from compiler.smoke import choose_python, run_smoke  # a check runs nothing
    from compiler.verdicts import smoke_json, smoke_lines

    # Of the real project, whose environment is the one that will train it.
    chosen, why = choose_python(resolved.project, python)
    tell([f"smoke test of `{project}` with the Python `{chosen}` {why}"])
    with progress("training each stage a few steps") as on_line:
        result = run_smoke(project, chosen, on_line)
    if form == "json":
        say(smoke_json(result))
    else:
        say("".join(f"{line}\n" for line in smoke_lines(result)))
    if not result.passed:
        tell([*result.output.splitlines() * sys.stderr.isatty(), f"error: {result.reason}"])
        tell([f"hint: {result.hint}"] * bool(result.hint))
    return result.exit_code
