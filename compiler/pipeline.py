"""The way of one spec: read, parse, validate, check, resolve; then from its plan to files."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from compiler.diagnostics import Diagnostic, Report, Severity
from compiler.manifest import Compiled, CompiledStage, plain_text, recorded_stack
from compiler.parse import Document, parse
from compiler.plan.outline import Outline
from compiler.resolve import Inputs, gather, outline_of
from compiler.resolve.paths import local_models
from compiler.rules import check_plan, check_spec
from compiler.source import SourceFile, read_source
from compiler.stack_choice import upgrade_settings, with_changed_line, with_stack
from compiler.unsettled import Locked, Unsettled
from compiler.validate import validate
from compiler.version import VERSION

if TYPE_CHECKING:
    from compiler.overlay_pin import OverlayPin
    from compiler.plan.project import ProjectPlan

__all__ = [
    "Checked",
    "Findings",
    "Resolved",
    "check_document",
    "check_file",
    "compile_in_place",
    "compile_spec",
    "page_text",
    "plan_spec",
    "schema_text",
    "with_notebook",
    "with_overlay",
]

_PAGE, _NOTEBOOK = "PLAN.md", "notebook.ipynb"


class Findings:
    """What was found in the specs of one command, with the texts that the findings point into."""

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic] = (),
        sources: Mapping[str, SourceFile] = MappingProxyType({}),
    ) -> None:
        """Begin with what is found already."""
        self.diagnostics = list(diagnostics)
        self.sources = dict(sources)

    def has(self, severity: Severity) -> bool:
        """Whether any finding is of this severity."""
        return any(found.severity is severity for found in self.diagnostics)


class Checked(NamedTuple):
    """A spec that is right, up to its outline.

    `document` has the values of `--set` and the stack of `--upgrade` in its text; `on_disk` is the
    text as it was read. `upgrade` and `trust` are what its user asks for or allows in a compile.
    """

    document: Document
    inputs: Inputs
    outline: Outline
    on_disk: SourceFile
    upgrade: bool = False
    trust: bool = False


class Resolved(NamedTuple):
    """A spec that is right, with its plan."""

    checked: Checked
    plan: "ProjectPlan"

    @property
    def source(self) -> SourceFile:
        """The spec with the values of `--set` and the stack of `--upgrade` in its text."""
        return self.checked.document.source

    @property
    def project(self) -> Path:
        """The folder of the spec, which is the project."""
        return self.source.path.parent


def check_file(
    path: Path,
    settings: Sequence[str],
    findings: Findings,
    *,
    upgrade: bool = False,
    trust: bool = False,
) -> Checked:
    """Take a spec up to its outline; raises `Stop` behind the phase that reported an error."""
    report = Report()
    relocated: Callable[[Diagnostic], Diagnostic] | None = None
    house: str | None = None
    try:
        source = on_disk = read_source(path, report)
        findings.sources[source.name] = source
        if upgrade:
            settings = [*settings, *upgrade_settings(parse(source, report))]
        if settings:
            # Most specs are read as they are.
            from compiler.overrides import override

            overridden = override(source, settings, report)
            source, relocated = overridden.source, overridden.relocated
            findings.sources |= {argument.name: argument for argument in overridden.arguments}
        document = _extended(parse(source, report), findings, report)
        house = document.house.name if document.house else None
        recorded = recorded_stack(path.parent, path.name)
        document = with_stack(document, recorded, report, upgrade=upgrade)
        checked = check_document(document, report, on_disk)
        return checked._replace(upgrade=upgrade, trust=trust)
    finally:
        found = list(map(relocated, report.diagnostics)) if relocated else report.diagnostics
        found.sort(key=lambda each: each.place is not None and each.place.file == house)
        # A fault of a house file is one fault, however many specs extend it.
        findings.diagnostics += [each for each in found if each not in findings.diagnostics]


def check_document(document: Document, report: Report, on_disk: SourceFile) -> Checked:
    """Take a parsed spec up to its outline; raises `Stop` behind a phase that reported an error."""
    report.stop_if_errors()
    spec = validate(document, report)
    report.stop_if_errors()
    check_spec(spec, document, report)
    report.stop_if_errors()
    inputs = gather(spec, document.source.path.parent)
    outline = outline_of(inputs)
    check_plan(outline, document, report)
    report.stop_if_errors()
    return Checked(document, inputs, outline, on_disk)


def plan_spec(checked: Checked) -> Resolved:
    """Plan every file of a spec that is right."""
    # A check plans no files.
    from compiler.resolve.project import plan_project

    return Resolved(checked, plan_project(checked.inputs, checked.outline, checked.document))


def compile_spec(resolved: Resolved) -> Compiled:
    """Make every file of a project from its plan; nothing is written."""
    # Templates and ruff cost more than a whole check, which needs neither.
    from compiler.emit import emit
    from compiler.tidy import tidy

    plan, house = resolved.plan, resolved.checked.document.house
    tree, pin, added = with_overlay(tidy(emit(plan), plan.modules), resolved)
    tree = with_notebook(tree, resolved.project)
    return Compiled(
        tree=tree,
        spec_name=resolved.source.path.name,
        named_files=plan.named_files,
        version=VERSION,
        stack=plan.stack,
        schema=schema_text(),
        modules=plan.modules,
        models=local_models(resolved.checked.inputs.spec),
        stages=tuple(CompiledStage(stage.name, stage.method, stage.was) for stage in plan.stages),
        spec_text=resolved.source.text,
        house_text="" if house is None else house.text,
        overlay=pin,
        overlay_paths=added,
    )


def with_overlay(
    tree: Mapping[str, str], resolved: Resolved
) -> "tuple[Mapping[str, str], OverlayPin | None, frozenset[str]]":
    """Add the files of the spec's overlay to a tree; give its commit and their paths as well."""
    checked, source = resolved.checked, resolved.source
    overlay = checked.inputs.spec.project.overlay
    if overlay is None:
        return tree, None, frozenset()
    # Few specs have one, and a check needs none.
    from compiler.overlay import overlay_files

    files, pin = overlay_files(
        overlay,
        resolved.project,
        json.loads(json.dumps(resolved.plan.to_json())),
        tree,
        (source.path.name, *resolved.plan.named_files),
        upgrade=checked.upgrade,
        trust=checked.trust,
    )
    return {**tree, **files}, pin, frozenset(files)


def with_notebook(tree: Mapping[str, str], project: Path) -> Mapping[str, str]:
    """Make a notebook of its page, with the texts of a tree and of the user's own files."""
    if _NOTEBOOK not in tree:
        return tree
    from compiler.notebook import make_notebook  # few specs ask for one

    def read(path: str) -> str:
        return tree[path] if path in tree else (project / path).read_text(encoding="utf-8")

    return {**tree, _NOTEBOOK: make_notebook(tree[_NOTEBOOK], read)}


def compile_in_place(resolved: Resolved) -> Compiled:
    """Make every file of the project around a spec, and the spec itself where `--upgrade` moves it.

    Only its `stack` line can differ, for values of `--set` are refused in place.
    """
    compiled, on_disk = compile_spec(resolved), resolved.checked.on_disk
    if _NOTEBOOK in compiled.tree:
        compiled = _with_edits(compiled, resolved.project)
    if resolved.source.text == on_disk.text:
        return compiled
    return compiled._replace(new_spec=with_changed_line(on_disk, resolved.source.text))


def _with_edits(compiled: Compiled, project: Path) -> Compiled:
    """Let the notebook write the files as they are on disk after the compile, edits included."""
    # Few projects have a notebook.
    from compiler.apply import preview
    from compiler.changes import Fate
    from compiler.notebook import with_files

    try:
        entries = preview(project, compiled, here=True).entries
    except (Unsettled, Locked):
        return compiled  # nothing will be written
    texts = {
        entry.path: text
        for entry in entries
        if entry.fate is not Fate.CONFLICT
        if entry.after is not None and (text := plain_text(entry.after)) is not None
    }
    notebook = with_files(compiled.tree[_NOTEBOOK], texts)
    return compiled._replace(tree={**compiled.tree, _NOTEBOOK: notebook})


def page_text(plan: "ProjectPlan") -> str:
    """Give the page that people read of a plan, which a compile writes as PLAN.md."""
    # Templates are as dear here as in a compile.
    from compiler.emit import emit

    pages = tuple(file for file in plan.files if file.path == _PAGE)
    return emit(plan._replace(files=pages))[_PAGE]


def schema_text() -> str:
    """Give the JSON schema of the language as a file's text."""
    # Walking every model is of no use to a check.
    from compiler.reference import json_schema

    return json.dumps(json_schema(), indent=2) + "\n"


def _extended(document: Document, findings: Findings, report: Report) -> Document:
    project = document.values.get("project")
    if not isinstance(project, dict) or "extends" not in project:
        return document
    # Few specs have a house file.
    from compiler.extends import extend, read_house

    house = read_house(document, report)
    findings.sources[house.name] = house
    return extend(document, house, report)
