"""Findings for code hosts: GitHub's workflow annotations, and SARIF 2.1.0."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from compiler.diagnostics import Diagnostic, Place
from compiler.explanation import explanation
from compiler.source import SourceFile
from compiler.version import VERSION

__all__ = ["render_github", "render_sarif"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

Sources = Mapping[str, SourceFile]


def render_github(diagnostics: Iterable[Diagnostic], sources: Sources) -> str:
    """Give each finding as a workflow command, which GitHub shows beside the line it is about.

    The form is that of "Workflow commands for GitHub Actions": `::error file=,line=,...::message`.
    """
    return "".join(f"{_command(diagnostic, sources)}\n" for diagnostic in diagnostics)


def render_sarif(diagnostics: Sequence[Diagnostic], sources: Sources) -> str:
    """Give the findings as one run of a SARIF log (OASIS, SARIF 2.1.0), for code scanning.

    Columns count characters from 1, the end is open, as SARIF has it.
    """
    codes = sorted({diagnostic.code for diagnostic in diagnostics})
    run = {
        "tool": {
            "driver": {
                "name": "trainspec",
                "semanticVersion": VERSION,
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(found, codes.index(found.code), sources) for found in diagnostics],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _command(diagnostic: Diagnostic, sources: Sources) -> str:
    properties = {"title": diagnostic.code}
    place = diagnostic.place
    if place is not None and _is_file(place, sources):
        properties["file"] = PurePath(place.file).as_posix()
        if (region := _region(place, sources)) is not None:
            properties["line"] = str(region["startLine"])
            properties["endLine"] = str(region["endLine"])
            # Columns of a region over several lines are refused.
            if region["startLine"] == region["endLine"]:
                properties["col"] = str(region["startColumn"])
                properties["endColumn"] = str(region["endColumn"])
    written = ",".join(f"{name}={_escaped(text, ':,')}" for name, text in properties.items())
    return f"::{diagnostic.severity} {written}::{_escaped(_text(diagnostic))}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(each):02X}" if each in f"%\r\n{more}" else each for each in text)


def _text(diagnostic: Diagnostic) -> str:
    told = [diagnostic.message, *([diagnostic.label] if diagnostic.label else [])]
    return "\n".join([*told, *(f"hint: {hint}" for hint in diagnostic.hints)])


def _rule(code: str) -> dict[str, Any]:
    page = explanation(code)
    return {"id": code} if page is None else {"id": code, "help": {"text": page, "markdown": page}}


def _result(diagnostic: Diagnostic, index: int, sources: Sources) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": str(diagnostic.severity),
        "message": {"text": _text(diagnostic)},
    }
    if diagnostic.place is not None and _is_file(diagnostic.place, sources):
        result["locations"] = [_location(diagnostic.place, sources)]
    related = [
        {"id": number, **_location(other.place, sources), "message": {"text": other.message}}
        for number, other in enumerate(diagnostic.related, 1)
        if _is_file(other.place, sources)
    ]
    if related:
        result["relatedLocations"] = related
    return result


def _location(place: Place, sources: Sources) -> dict[str, Any]:
    path = Path(place.file)
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if (region := _region(place, sources)) is not None:
        physical["region"] = region
    return {"physicalLocation": physical}


def _region(place: Place, sources: Sources) -> dict[str, int] | None:
    source = sources.get(place.file)
    if source is None:
        return None
    line, column = source.line_and_column(place.span.start)
    end_line, end_column = source.line_and_column(place.span.end)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }


def _is_file(place: Place, sources: Sources) -> bool:
    """Whether a place is in a file, not in an argument of the command line."""
    source = sources.get(place.file)
    return source is None or source.path == Path(place.file)
