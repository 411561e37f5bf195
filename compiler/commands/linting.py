"""The command that looks for faults in a project: `lint`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compiler.commands.options import Deny, Form
from compiler.commands.terminal import WRONG, progress, show, tell, verdict
from compiler.diagnostics import Stop
from compiler.pipeline import Findings

if TYPE_CHECKING:
    from compiler.lint import Linting

__all__ = ["lint"]

_HERE = Path()


def lint(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A project, a folder, or one script.")
    ] = _HERE,
    *,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what can be mended safely, then lint.")
    ] = False,
    python: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The Python with the packages, for pyright."),
    ] = None,
    form: Form = "full",
    deny: Deny = None,
) -> None:
    """Look for faults in a project, edited or not, or in a TRL script of your own."""
    linting = _look(path, form, fix=fix)
    if linting.linted.last is not None:
        linting = _with_types(linting, python)
    findings = linting.findings
    tell([show(findings, form)])
    raise typer.Exit(verdict(findings, deny))


def _look(path: Path, form: str, *, fix: bool) -> "Linting":
    from compiler.lint import lint as look  # no other command needs it
    from compiler.lint import repair
    from compiler.lint.folder import LintReport

    report = LintReport()
    try:
        linting = look(path, report)
        if fix and (mended := repair(linting)):
            tell([f"mended `{name}`" for name in mended])
            linting = look(path)
    except Stop:
        show(Findings(report.diagnostics), form)
        raise typer.Exit(WRONG) from None
    return linting


def _with_types(linting: "Linting", python: Path | None) -> "Linting":
    from compiler.lint import lint_types
    from compiler.smoke import choose_python

    chosen, why = choose_python(linting.linted.root, python)
    with progress("checking types", only_here=True):
        linting, skipped = lint_types(linting, chosen)
    outcome = f" was skipped: {skipped}" if skipped else ""
    tell([f"pyright with the Python `{chosen}` {why}{outcome}"])
    return linting
