"""The way of one spec: read, parse, validate, check, resolve; then from its plan to files."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from compiler.diagnostics import Diagnostic, Report, Severity
from compiler.manifest import Compiled
from compiler.parse import Document, parse
from compiler.plan.outline import Outline
from compiler.plan.project import ProjectPlan
from compiler.resolve import Inputs, gather, outline_of
from compiler.rules import check_plan, check_spec
from compiler.source import SourceFile, read_source
from compiler.validate import validate
from compiler.version import VERSION

__all__ = [
    "Checked",
    "Findings",
    "Resolved",
    "check_file",
    "compile_spec",
    "page_text",
    "plan_spec",
    "schema_text",
]

_PAGE = "PLAN.md"


@dataclass(slots=True)
class Findings:
    """What was found in the specs of one command, with the texts that the findings point into."""

    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    sources: dict[str, SourceFile] = field(default_factory=dict[str, SourceFile])

    def has(self, severity: Severity) -> bool:
        """Whether any finding is of this severity."""
        return any(found.severity is severity for found in self.diagnostics)


class Checked(NamedTuple):
    """A spec that is right, up to its outline; `document` has the values of `--set` in its text."""

    document: Document
    inputs: Inputs
    outline: Outline


class Resolved(NamedTuple):
    """A spec that is right, with its plan; `source` has the values of `--set` in its text."""

    source: SourceFile
    plan: ProjectPlan

    @property
    def project(self) -> Path:
        """The folder of the spec, which is the project."""
        return self.source.path.parent

    def spec_bytes(self, *, rewritten: bool) -> bytes:
        """Give the spec as it is on disk, or with the values of `--set` in it."""
        return self.source.text.encode() if rewritten else self.source.path.read_bytes()


def check_file(path: Path, settings: Sequence[str], findings: Findings) -> Checked:
    """Take a spec up to its outline; raises `Stop` behind the phase that reported an error."""
    report = Report()
    relocated: Callable[[Diagnostic], Diagnostic] | None = None
    try:
        source = read_source(path, report)
        findings.sources[source.name] = source
        if settings:
            # Most specs are read as they are.
            from compiler.overrides import override

            overridden = override(source, settings, report)
            source, relocated = overridden.source, overridden.relocated
            findings.sources |= {argument.name: argument for argument in overridden.arguments}
        return _outlined(source, report)
    finally:
        found = report.diagnostics
        findings.diagnostics += map(relocated, found) if relocated else found


def plan_spec(checked: Checked) -> Resolved:
    """Plan every file of a spec that is right."""
    # A check plans no files.
    from compiler.resolve.project import plan_project

    source = checked.document.source
    return Resolved(source, plan_project(checked.inputs, checked.outline, checked.document))


def compile_spec(resolved: Resolved) -> Compiled:
    """Make every file of a project from its plan; nothing is written."""
    # Templates and ruff cost more than a whole check, which needs neither.
    from compiler.emit import emit
    from compiler.tidy import tidy

    plan = resolved.plan
    tree = tidy(emit(plan), plan.modules)
    name = resolved.source.path.name
    return Compiled(tree, name, plan.named_files, VERSION, plan.stack, schema_text())


def page_text(plan: ProjectPlan) -> str:
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


def _outlined(source: SourceFile, report: Report) -> Checked:
    document = parse(source, report)
    report.stop_if_errors()
    spec = validate(document, report)
    report.stop_if_errors()
    check_spec(spec, document, report)
    report.stop_if_errors()
    inputs = gather(spec, document.source.path.parent)
    outline = outline_of(inputs)
    check_plan(outline, document, report)
    report.stop_if_errors()
    return Checked(document, inputs, outline)
