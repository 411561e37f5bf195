"""The commands that write projects, or say what they would write: `compile` and `adopt`."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from compiler import pipeline
from compiler.commands.options import (
    SPEC,
    Check,
    Deny,
    Diff,
    Form,
    Here,
    Into,
    Restore,
    Settings,
    Spec,
    Specs,
    Trust,
    Undo,
    Upgrade,
    refuse_together,
)
from compiler.commands.reading import resolve_specs
from compiler.commands.terminal import (
    DONE,
    MACHINE,
    UNSETTLED,
    WRONG,
    progress,
    say,
    show,
    tell,
)
from compiler.pipeline import Findings, Resolved
from compiler.unsettled import Locked, Unreachable, Unsettled

if TYPE_CHECKING:
    from compiler.changes import Fault
    from compiler.preview.difference import Difference

_Item = TypeVar("_Item")
__all__ = ["adopt", "compile_specs"]


def compile_specs(
    specs: Specs = None,
    *,
    into: Into = None,
    here: Here = False,
    diff: Diff = False,
    check: Check = False,
    upgrade: Upgrade = False,
    restore: Restore = None,
    undo: Undo = False,
    trust: Trust = False,
    settings: Settings = None,
    form: Form = "full",
    deny: Deny = None,
) -> None:
    """Write the project of each spec around it, or of one spec into a new folder."""
    paths = specs or [SPEC]
    alone = ("--into" * bool(into), "--undo" * undo, "--restore" * bool(restore))
    for other in ("--diff" * diff or "--check" * check, "--here" * here, "--upgrade" * upgrade):
        refuse_together((*alone, other))
    _refuse_several(paths, into, restore)
    if settings and into is None:
        message = "`--set` needs `--into`: in place, the project would disagree with its spec"
        raise typer.BadParameter(message)
    if undo:
        raise typer.Exit(_each([str(path) for path in paths], paths, _undo))
    resolved = resolve_specs(paths, settings, form, deny, upgrade=upgrade, trust=trust)
    if into is not None:
        _write_into(resolved[0], into, rewritten=bool(settings))
    elif diff or check:
        raise typer.Exit(_preview(resolved, form, diff=diff, check=check, here=here))
    else:
        act = partial(_write, here=here, restore=restore or ())
        code = _each([each.source.name for each in resolved], resolved, act)
        raise typer.Exit(code)


def adopt(
    spec: Spec = SPEC, *, trust: Trust = False, form: Form = "full", deny: Deny = None
) -> None:
    """Rebuild the state of a project that was lost or damaged; its files stay as they are."""
    from compiler.adopt import adopt as rebuild
    from compiler.outcome import adopted_lines

    [resolved] = resolve_specs([spec], None, form, deny, trust=trust)
    changes = rebuild(resolved.project, pipeline.compile_spec(resolved))
    tell(adopted_lines(str(resolved.project), changes))


def _refuse_several(
    paths: Sequence[Path], into: Path | None, restore: Sequence[str] | None
) -> None:
    if len(paths) > 1 and (into or restore):
        message = f"`{'--into' if into else '--restore'}` is for one spec"
        raise typer.BadParameter(message)


def _each(names: Sequence[str], items: Sequence[_Item], act: Callable[[_Item], int]) -> int:
    """Act on what belongs to each spec; one that is refused keeps none of the others from it."""
    code = DONE
    for name, item in zip(names, items, strict=True):
        # The lines have paths of the project, but not of which.
        named = [f"`{name}`:"] * (len(names) > 1)
        try:
            code = max(code, act(item))
        except Unsettled as unsettled:
            tell([*named, *unsettled.lines])
            code = max(code, UNSETTLED)
        except (Locked, Unreachable, OSError) as error:
            from compiler.outcome import machine_lines  # seldom needed

            lines = machine_lines(error)
            if not lines:
                raise
            tell([*named, *lines])
            code = max(code, MACHINE)
    return code


def _write(resolved: Resolved, *, here: bool, restore: Sequence[str]) -> int:
    from compiler.apply import apply  # a check writes nothing
    from compiler.outcome import done_lines

    compiled = pipeline.compile_in_place(resolved)
    project = resolved.project
    changes = apply(project, compiled, here=here, restore=restore, find_faults=_faults)
    tell(done_lines(str(resolved.project), changes))
    return DONE if changes.is_settled else UNSETTLED


def _write_into(resolved: Resolved, into: Path, *, rewritten: bool) -> None:
    from compiler.copying import copied_sources
    from compiler.new_project import apply_into
    from compiler.outcome import done_lines

    compiled, texts = copied_sources(resolved, into, rewritten=rewritten)
    changes = apply_into(resolved.project, into, texts, compiled)
    tell(done_lines(str(into), changes))


def _undo(spec: Path) -> int:
    from compiler.outcome import undone_lines
    from compiler.undo import undo

    tell(undone_lines(undo(spec.parent, spec.name)))
    return DONE


def _preview(specs: Sequence[Resolved], form: str, *, diff: bool, check: bool, here: bool) -> int:
    """Say what would change, whether anything would, or both."""
    from compiler.preview.difference import difference_json, difference_lines, differences_lines

    found: list[Difference] = []
    with progress("looking at each project", only_here=True) as on_line:
        act = partial(_look, found=found, on_line=on_line, here=here or check)
        code = _each([each.source.name for each in specs], specs, act)
    if diff and form == "json":
        say(difference_json(found))
    elif diff:
        whole = form == "full"
        alone = (line for each in found for line in difference_lines(each, whole=whole))
        lines = differences_lines(found, whole=whole) if len(specs) > 1 else alone
        say("".join(f"{line}\n" for line in lines))
    if not check:
        return code
    from compiler.preview.drift import drift_of

    findings = Findings()
    for difference in found:
        findings.diagnostics += drift_of(difference)
        document = difference.document
        sources = (document.source, *([document.house] if document.house else []))
        findings.sources |= {source.name: source for source in sources}
    said = show(findings, form, to_stderr=diff)
    late, refused = len(findings.diagnostics), len(specs) - len(found)
    if len(specs) > 1:
        counts = f"{late} out of date" + f", {refused} not looked at" * bool(refused)
        tell([f"{len(specs)} projects: {counts if late or refused else 'all up to date'}"])
    elif not refused:
        tell([said if late else "up to date"])
    return max(code, WRONG if late else DONE)


def _look(
    resolved: Resolved, *, found: "list[Difference]", on_line: Callable[[str], None], here: bool
) -> int:
    from compiler.apply import preview
    from compiler.preview.difference import difference_of

    on_line(resolved.source.name)
    compiled = pipeline.compile_in_place(resolved)
    changes = preview(resolved.project, compiled, here=here, find_faults=_faults)
    found.append(difference_of(resolved, compiled, changes))
    return DONE


def _faults(texts: Mapping[str, str]) -> "Sequence[Fault]":
    from compiler.lint import project_faults  # only a merge needs it

    return project_faults(texts)
