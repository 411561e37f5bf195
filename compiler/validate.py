"""Document -> TaskSpec; all that the models refuse becomes diagnostics with exact places."""

from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

from compiler.diagnostics import Diagnostic, Report, Stop
from compiler.parse import Document, KeyPath
from compiler.unbuilt import find_unbuilt
from spec_schema import TaskSpec
from spec_schema.base import UNKNOWN_VARIANT

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = ["validate"]


class _Problem:
    """What pydantic says of one place of the document; a union says it once for each member."""

    def __init__(self, path: KeyPath, missing: str | None) -> None:
        self.path = path
        self.missing = missing
        self.details: list[ErrorDetails] = []

    @property
    def type(self) -> str:
        return self.details[0]["type"]


def validate(document: Document, report: Report) -> TaskSpec:
    """Read a document as a spec; every way in which it is none is reported, then `Stop`."""
    found = Report()
    covered = _report_unbuilt(document, found)
    spec: TaskSpec | None = None
    try:
        spec = TaskSpec.model_validate(document.values)
    except ValidationError as error:
        problems = _problems(document, error)
        _report_problems(document, found, _uncovered(problems, covered))
    report.diagnostics.extend(sorted(found.diagnostics, key=_start))
    report.stop_if_errors()
    if spec is None:
        raise Stop
    return spec


def _start(diagnostic: Diagnostic) -> int:
    return diagnostic.place.span.start if diagnostic.place else -1


def _report_unbuilt(document: Document, report: Report) -> list[KeyPath]:
    covered: list[KeyPath] = []
    for unbuilt in find_unbuilt(document.values):
        place_of = document.value_place if unbuilt.in_value else document.key_place
        place = place_of(unbuilt.path)
        report.error("not-built", unbuilt.message, place, hints=(unbuilt.hint,))
        covered.append(unbuilt.path)
    return covered


def _uncovered(problems: list[_Problem], covered: list[KeyPath]) -> list[_Problem]:
    return [
        problem
        for problem in problems
        if not any(problem.path[: len(path)] == path for path in covered)
    ]


def _problems(document: Document, error: ValidationError) -> list[_Problem]:
    grouped: dict[tuple[KeyPath, str | None], _Problem] = {}
    for details in error.errors(include_url=False):
        path = _document_path(document.values, details["loc"])
        missing = str(details["loc"][-1]) if details["type"] == "missing" else None
        problem = grouped.setdefault((path, missing), _Problem(path, missing))
        problem.details.append(details)
    return list(grouped.values())


def _document_path(values: dict[str, Any], location: KeyPath) -> KeyPath:
    """Walk the document beside pydantic's location, leaving out the tags and members of unions."""
    here: object = values
    path: list[str | int] = []
    for part in location:
        if isinstance(here, dict) and part in here:
            here = cast("dict[str | int, object]", here)[part]
        elif isinstance(here, list) and isinstance(part, int):
            here = cast("list[object]", here)[part]
        else:
            continue
        path.append(part)
    return tuple(path)


def _report_problems(document: Document, report: Report, problems: list[_Problem]) -> None:
    # Words and tables of all keys are of use only where something is wrong.
    from compiler import key_errors, value_errors

    # A key that was found under a wrong name or in a wrong table is not also reported as missing.
    explained: set[tuple[KeyPath, str]] = set()
    for problem in problems:
        if problem.type == "extra_forbidden":
            explained |= key_errors.report_unknown(document, report, problem.path)
        elif problem.type == UNKNOWN_VARIANT:
            explained |= key_errors.report_choice(document, report, problem.path)
    for problem in problems:
        if problem.missing is not None:
            if (problem.path, problem.missing) not in explained:
                key_errors.report_missing(document, report, problem.path, problem.missing)
        elif problem.type not in ("extra_forbidden", UNKNOWN_VARIANT):
            value_errors.report_value(document, report, problem.path, problem.details)
