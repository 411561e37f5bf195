"""The commands that read specs and write nothing: `check`, `plan`, `schema`, `explain`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from compiler import pipeline
from compiler.commands.options import SPEC, Deny, Form, Settings, Spec, Specs
from compiler.commands.terminal import DONE, WRONG, say, show, tell, verdict
from compiler.diagnostics import Stop
from compiler.pipeline import Checked, Findings, Resolved
from compiler.unsettled import BadSetting

__all__ = ["check", "explain", "plan", "resolve_specs", "schema"]


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
    said = show(findings, form)
    tell([f"{len(specs)} specs: {said}" if specs and len(specs) > 1 else said])
    raise typer.Exit(verdict(findings, deny))


def plan(
    spec: Spec = SPEC,
    settings: Settings = None,
    form: Form = "full",
    deny: Deny = None,
) -> None:
    """Print the plan of a spec: batches, rewards, versions, origins."""
    [resolved] = resolve_specs([spec], settings, form, deny)
    if form == "json":
        # Only this form needs it.
        import json

        say(json.dumps(resolved.plan.to_json(), indent=2) + "\n")
    else:
        say(pipeline.page_text(resolved.plan))


def schema() -> None:
    """Print the JSON schema of the spec, for editors."""
    say(pipeline.schema_text())


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
    say(page)


def resolve_specs(
    specs: Sequence[Path],
    settings: list[str] | None,
    form: str,
    deny: str | None,
    *,
    upgrade: bool = False,
    trust: bool = False,
) -> list[Resolved]:
    """Give the plan of each spec; where findings of any forbid it, show all of them and end."""
    findings = Findings()
    checked = [_checked(spec, settings, findings, upgrade=upgrade, trust=trust) for spec in specs]
    if findings.diagnostics:
        show(findings, form, to_stderr=True)
    right = [each for each in checked if each is not None]
    if len(right) < len(specs) or verdict(findings, deny) != DONE:
        raise typer.Exit(WRONG)
    return [pipeline.plan_spec(each) for each in right]


def _checked(
    spec: Path,
    settings: list[str] | None,
    findings: Findings,
    *,
    upgrade: bool = False,
    trust: bool = False,
) -> Checked | None:
    try:
        return pipeline.check_file(spec, settings or [], findings, upgrade=upgrade, trust=trust)
    except Stop:
        return None
    except BadSetting as error:
        raise typer.BadParameter(str(error)) from error
