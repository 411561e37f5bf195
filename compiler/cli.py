"""The command line: the only room that prints, and the only one that ends the program."""

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from compiler import pipeline
from compiler.diagnostics import Severity, Stop
from compiler.manifest import belongs_to, is_compiled
from compiler.options import SPEC, Deny, Form, Settings, Spec, Specs, unbuilt_flag
from compiler.pipeline import Checked, Findings, Resolved
from compiler.unsettled import BadSetting, Unsettled
from compiler.version import VERSION

__all__ = ["app", "main"]

_DONE, _WRONG, _USAGE, _UNSETTLED, _MACHINE, _BUG, _INTERRUPTED = 0, 1, 2, 3, 4, 70, 130

app = typer.Typer(
    help="Compile a TOML spec of a post-training task into a standalone TRL project.",
    no_args_is_help=True,
    add_completion=False,
    # Rich costs more to import than a whole check.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _root(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(f"trainspec {VERSION}")
        raise typer.Exit(_DONE)


@app.command()
def check(
    specs: Specs = None,
    settings: Settings = None,
    form: Form = "full",
    deny: Deny = None,
) -> None:
    """Check specs and print what is wrong with them."""
    findings = Findings()
    for spec in specs or [SPEC]:
        _checked(spec, settings, findings)
    said = _show(findings, form)
    _tell([f"{len(specs)} specs: {said}" if specs and len(specs) > 1 else said])
    raise typer.Exit(_verdict(findings, deny))


@app.command()
def plan(
    spec: Spec = SPEC,
    settings: Settings = None,
    form: Form = "full",
    deny: Deny = None,
) -> None:
    """Print the plan of a spec: batches, rewards, versions, origins."""
    resolved = _resolved(spec, settings, form, deny)
    if form == "json":
        # Only this form needs it.
        import json

        typer.echo(json.dumps(resolved.plan.to_json(), indent=2))
    else:
        typer.echo(pipeline.page_text(resolved.plan), nl=False)


@app.command(name="compile")
def compile_project(
    spec: Spec = SPEC,
    *,
    into: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Make a new project in this folder."),
    ] = None,
    here: Annotated[
        bool,
        typer.Option("--here", help="Compile into a folder that holds other things."),
    ] = False,
    settings: Settings = None,
    form: Form = "full",
    deny: Deny = None,
    diff: Annotated[bool, unbuilt_flag("--diff")] = False,
    check_only: Annotated[bool, unbuilt_flag("--check")] = False,
    upgrade: Annotated[bool, unbuilt_flag("--upgrade")] = False,
    undo: Annotated[bool, unbuilt_flag("--undo")] = False,
    restore: Annotated[list[str] | None, unbuilt_flag("--restore")] = None,
) -> None:
    """Write the project of a spec around it, or into a new folder."""
    # The callbacks of these options have refused them.
    del diff, check_only, upgrade, undo, restore
    if settings and into is None:
        message = "`--set` needs `--into`: in place, the project would disagree with its spec"
        raise typer.BadParameter(message)
    if here and into is not None:
        message = "`--here` and `--into` exclude each other"
        raise typer.BadParameter(message)
    resolved = _resolved(spec, settings, form, deny)
    raise typer.Exit(_write(resolved, into, here=here, rewritten=bool(settings)))


@app.command()
def smoke(
    spec: Spec = SPEC,
    python: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The Python with the training packages."),
    ] = None,
    settings: Settings = None,
    form: Form = "full",
) -> None:
    """Train every stage a few steps on a tiny model, offline."""
    resolved = _resolved(spec, settings, form, None)
    project, name = resolved.project, resolved.source.path.name
    if not settings and is_compiled(project) and belongs_to(project, name):
        raise typer.Exit(_smoke(resolved, project, python, form))
    import tempfile  # a check writes nothing

    from compiler.apply import apply_into

    with tempfile.TemporaryDirectory(prefix="trainspec-") as folder:
        project = Path(folder) / "project"
        text = resolved.spec_bytes(rewritten=bool(settings))
        apply_into(resolved.project, project, text, pipeline.compile_spec(resolved))
        raise typer.Exit(_smoke(resolved, project, python, form))


@app.command()
def schema() -> None:
    """Print the JSON schema of the spec, for editors."""
    typer.echo(pipeline.schema_text(), nl=False)


@app.command()
def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="As in `error[CODE]`.")],
) -> None:
    """Say what a diagnostic means and what to write instead."""
    from compiler.closest import closest  # rarely wanted
    from compiler.explanation import explained_codes, explanation

    page = explanation(code)
    if page is None:
        near = closest(code, explained_codes())
        message = f"there is no diagnostic `{code}`"
        raise typer.BadParameter(message + (f"; did you mean `{near}`?" if near else ""))
    typer.echo(page, nl=False)


def _refuse_command(context: typer.Context) -> None:
    _tell([f"error: `trainspec {context.info_name}` is not built in this version"])
    raise typer.Exit(_USAGE)


for _name in ("new", "adopt", "lint"):
    app.command(
        name=_name,
        hidden=True,
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(_refuse_command)


def main() -> NoReturn:
    """Run the command line and end the program with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal's encoding must not decide whether a finding can be told.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Plugins of other packages have no part in reading a spec, and looking for them takes time.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        app(prog_name="trainspec")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except Unsettled as unsettled:
        _tell(unsettled.lines)
        sys.exit(_UNSETTLED)
    except Exception as error:  # noqa: BLE001  # the last place where a bug can be told as one
        from compiler.outcome import bug_lines, machine_lines  # seldom needed

        lines = machine_lines(error)
        _tell(lines or bug_lines(error))
        sys.exit(_MACHINE if lines else _BUG)
    sys.exit(_DONE)


def _checked(spec: Path, settings: list[str] | None, findings: Findings) -> Checked | None:
    try:
        return pipeline.check_file(spec, settings or [], findings)
    except Stop:
        return None
    except BadSetting as error:
        raise typer.BadParameter(str(error)) from error


def _resolved(spec: Path, settings: list[str] | None, form: str, deny: str | None) -> Resolved:
    """Give the plan of the spec; where findings forbid it, show them and end."""
    findings = Findings()
    checked = _checked(spec, settings, findings)
    if findings.diagnostics:
        _show(findings, form, to_stderr=True)
    if checked is None or _verdict(findings, deny) != _DONE:
        raise typer.Exit(_WRONG)
    return pipeline.plan_spec(checked)


def _verdict(findings: Findings, deny: str | None) -> int:
    denied = deny is not None and findings.has(Severity.WARNING)
    return _WRONG if denied or findings.has(Severity.ERROR) else _DONE


def _show(findings: Findings, form: str, *, to_stderr: bool = False) -> str:
    """Print the findings and give their count in words."""
    found, sources = findings.diagnostics, findings.sources
    if not found and form != "json":
        return "no errors"
    from compiler import render  # a spec that is right needs none

    match form:
        case "json":
            text = render.render_json(found, sources)
        case "concise":
            text = render.render_concise(found, sources)
        case _:
            stream = sys.stderr if to_stderr else sys.stdout
            color = stream.isatty() and "NO_COLOR" not in os.environ
            text = render.render_full(found, sources, color=color)
    typer.echo(text, nl=False, err=to_stderr, color=True)
    return render.summary(found)


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line, err=True)


def _write(resolved: Resolved, into: Path | None, *, here: bool, rewritten: bool) -> int:
    from compiler.apply import apply, apply_into  # a check writes nothing
    from compiler.outcome import done_lines

    compiled = pipeline.compile_spec(resolved)
    if into is None:
        changes = apply(resolved.project, compiled, here=here)
    else:
        spec = resolved.spec_bytes(rewritten=rewritten)
        changes = apply_into(resolved.project, into, spec, compiled)
    _tell(done_lines(str(into or resolved.project), changes))
    return _DONE


def _smoke(resolved: Resolved, project: Path, python: Path | None, form: str) -> int:
    from compiler.smoke import choose_python, run_smoke  # a check runs nothing
    from compiler.verdicts import smoke_json, smoke_lines

    # Of the real project, whose environment is the one that will train it.
    chosen, why = choose_python(resolved.project, python)
    _tell([f"smoke test of `{project}` with the Python `{chosen}` {why}"])
    with _progress() as on_line:
        result = run_smoke(project, chosen, on_line)
    if form == "json":
        typer.echo(smoke_json(result), nl=False)
    else:
        for line in smoke_lines(result):
            typer.echo(line)
    if not result.passed:
        _tell([*result.output.splitlines() * sys.stderr.isatty(), f"error: {result.reason}"])
        _tell([f"hint: {result.hint}"] * bool(result.hint))
    return result.exit_code


@contextlib.contextmanager
def _progress() -> Generator[Callable[[str], None], None, None]:
    """Give what is called with each line of a long run: a clock on a terminal, else the lines."""
    if not sys.stderr.isatty():
        yield lambda line: _tell([line])
        return
    from rich.console import Console  # only a terminal needs it
    from rich.markup import escape

    started = time.monotonic()
    with Console(stderr=True).status("training each stage a few steps") as status:

        def show(line: str) -> None:
            seconds = time.monotonic() - started
            status.update(f"{seconds:.0f} s  {escape(line[:80])}")

        yield show
