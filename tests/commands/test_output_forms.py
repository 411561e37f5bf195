"""Findings for code hosts: workflow annotations of GitHub, and SARIF 2.1.0."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from compiler.annotations import render_github, render_sarif
from compiler.diagnostics import Diagnostic, Place, Related, Severity, Span
from compiler.source import SourceFile
from compiler.version import VERSION
from tests.command_line import SPEC, Run

TEXT = "a = 1\nb = '''\ntwo'''\n"
SOURCES = {"task.toml": SourceFile(Path("task.toml"), "task.toml", TEXT)}


def found(place: Place | None, message: str = "m", related: tuple[Related, ...] = ()) -> Diagnostic:
    return Diagnostic("some-code", Severity.ERROR, message, place, "label", ("hint",), related)


def place(marked: str, file: str = "task.toml") -> Place:
    start = TEXT.index(marked)
    return Place(file, Span(start, start + len(marked)))


def results(log: str) -> list[dict[str, Any]]:
    return json.loads(log)["runs"][0]["results"]


def test_an_annotation_stands_at_its_line_and_columns() -> None:
    assert render_github([found(place("b"))], SOURCES) == (
        "::error title=some-code,file=task.toml,line=2,endLine=2,col=1,endColumn=2"
        "::m%0Alabel%0Ahint: hint\n"
    )


def test_an_annotation_over_several_lines_has_no_columns() -> None:
    text = render_github([found(place("'''\ntwo'''"))], SOURCES)
    assert ",line=2,endLine=3::" in text


def test_nothing_in_a_finding_ends_an_annotation_or_begins_another() -> None:
    wild = "100%\r\n::error::forged,x=1"
    text = render_github([found(Place("a,b:c\n.toml", Span(0, 0)), wild)], {})
    assert text == (
        "::error title=some-code,file=a%2Cb%3Ac%0A.toml"
        "::100%25%0D%0A::error::forged,x=1%0Alabel%0Ahint: hint\n"
    )
    assert re.fullmatch(r"::(error|warning) [^\n]*::[^\n]*\n", text)


def test_a_finding_without_a_file_is_an_annotation_without_one() -> None:
    argument = SourceFile(Path("--set"), "--set a.b", "a.b=1")
    for where in (None, Place("--set a.b", Span(0, 3))):
        text = render_github([found(where)], {"--set a.b": argument})
        assert text.startswith("::error title=some-code::m")


def test_a_sarif_log_has_what_its_schema_requires() -> None:
    related = (Related(place("a"), "first given here"),)
    warning = Diagnostic("other", Severity.WARNING, "w")
    log = json.loads(render_sarif([found(place("b"), related=related), warning], SOURCES))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("trainspec", VERSION)
    assert [rule["id"] for rule in driver["rules"]] == ["other", "some-code"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
    first, second = run["results"]
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "task.toml"},
                "region": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 2},
            }
        }
    ]
    assert first["relatedLocations"][0]["message"] == {"text": "first given here"}
    assert "locations" not in second


def test_a_sarif_log_without_findings_is_a_run_without_results() -> None:
    assert results(render_sarif([], {})) == []


@pytest.mark.parametrize("name", ["a b/é#?.toml", "/else where/b.toml", "..\x07/x.toml"])
def test_a_file_is_named_by_a_valid_uri(name: str) -> None:
    [result] = results(render_sarif([found(Place(name, Span(0, 0)))], {}))
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"(file://)?[A-Za-z0-9._~/%-]+", uri)
    assert unquote(uri).removeprefix("file://") == name


@pytest.mark.usefixtures("folder")
def test_a_right_spec_gives_an_empty_log_and_no_annotation(run: Run) -> None:
    assert results(run("check", "--format", "sarif").out) == []
    assert run("check", "--format", "github").out == ""


@pytest.mark.parametrize("form", ["concise", "json", "github", "sarif"])
def test_every_command_tells_its_findings_in_the_form_that_is_asked_for(
    folder: Path, run: Run, form: str
) -> None:
    (folder / "task.toml").write_text(SPEC.replace("steps = 20", "stepz = 20"))
    checked = run("check", "--format", form)
    assert (checked.code, "unknown-key" in checked.out) == (1, True)
    for words in (
        ("plan",),
        ("compile",),
        ("compile", "--diff"),
        ("compile", "--check"),
        ("smoke",),
    ):
        done = run(*words, "--format", form)
        assert done.code == 1
        assert done.out == ""
        assert done.err == checked.out
