"""The way of one spec: read, parse, validate, check, resolve; then from its plan to files."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from compiler.diagnostics import Diagnostic, Report, Severity
from compiler.manifest import Compiled
from compiler.parse import parse
from compiler.plan import ProjectPlan
from compiler.resolve import resolve
from compiler.rules import check_plan, check_spec
from compiler.source import SourceFile, read_source
from compiler.validate import validate
from compiler.version import VERSION

__all__ = ["Findings", "Resolved", "compile_spec", "page_text", "plan_spec", "schema_text"]

_PAGE = "PLAN.md"


@dataclass(slots=True)
class Findings:
    """What was found in the specs of one command, with the texts that the findings point into."""

    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    sources: dict[str, SourceFile] = field(default_factory=dict[str, SourceFile])

    def has(self, severity: Severity) -> bool:
        """Whether any finding is of this severity."""
        return any(found.severity is severity for found in self.diagnostics)


@dataclass(frozen=True, slots=True)
class Resolved:
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


def plan_spec(path: Path, settings: Sequence[str], findings: Findings) -> Resolved:
    """Take a spec up to its plan; raises `Stop` behind the phase that reported an error."""
    report = Report()
    relocated: Callable[[Diagnostic], Diagnostic] | None = None
    try:
        source = read_source(path, report)
        findings.sources[source.name] = source
        if settings:
            # Most specs are read as they are.
            from compiler.overrides import override  # noqa: PLC0415  # see above

            overridden = override(source, settings, report)
            source, relocated = overridden.source, overridden.relocated
            findings.sources |= {argument.name: argument for argument in overridden.arguments}
        return Resolved(source, _resolve(source, report))
    finally:
        found = report.diagnostics
        findings.diagnostics += map(relocated, found) if relocated else found


def compile_spec(resolved: Resolved) -> Compiled:
    """Make every file of a project from its plan; nothing is written."""
    # Templates and ruff cost more than a whole check, which needs neither.
    from compiler.emit import emit  # noqa: PLC0415  # see above
    from compiler.tidy import tidy  # noqa: PLC0415  # see above

    plan = resolved.plan
    tree = tidy(emit(plan), plan.modules)
    name = resolved.source.path.name
    return Compiled(tree, name, plan.named_files, VERSION, plan.stack, schema_text())


def page_text(plan: ProjectPlan) -> str:
    """Give the page that people read of a plan, which a compile writes as PLAN.md."""
    # As above.
    from compiler.emit import emit  # noqa: PLC0415  # see above

    pages = tuple(file for file in plan.files if file.path == _PAGE)
    return emit(replace(plan, files=pages))[_PAGE]


def schema_text() -> str:
    """Give the JSON schema of the language as a file's text."""
    # Walking every model is of no use to a check.
    from compiler.reference import json_schema  # noqa: PLC0415  # see above

    return json.dumps(json_schema(), indent=2) + "\n"


def _resolve(source: SourceFile, report: Report) -> ProjectPlan:
    document = parse(source, report)
    report.stop_if_errors()
    spec = validate(document, report)
    report.stop_if_errors()
    check_spec(spec, document, report)
    report.stop_if_errors()
    plan = resolve(spec, document)
    check_plan(plan, document, report)
    report.stop_if_errors()
    return plan
