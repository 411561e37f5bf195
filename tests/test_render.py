"""What a person, an editor and a program are shown of a finding."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.diagnostics import Diagnostic, Place, Related, Report, Severity, Span
from compiler.render import render_concise, render_full, render_json, summary
from compiler.source import SourceFile

NAME = "task.toml"


def sources_of(text: str) -> dict[str, SourceFile]:
    return {NAME: SourceFile(Path(NAME), NAME, text)}


def finding(text: str, marked: str, label: str | None = None) -> Diagnostic:
    start = text.index(marked)
    place = Place(NAME, Span(start, start + len(marked)))
    return Diagnostic("some-code", Severity.ERROR, "something is so", place, label)


def drawn(text: str, marked: str) -> tuple[str, str]:
    """Give the line and the caret line of a finding, both without their gutter."""
    lines = render_full([finding(text, marked)], sources_of(text)).splitlines()
    line, carets = (row.split("|", 1)[1].removeprefix(" ") for row in lines[3:5])
    return line, carets


def test_the_full_form_shows_line_caret_and_label() -> None:
    text = "spec = 1\n" * 13 + "learning_rte = 1e-6\n"
    report = Report()
    report.error(
        "unknown-key",
        "unknown key `learning_rte` in a `grpo` stage",
        finding(text, "learning_rte").place,
        label="did you mean `learning_rate`?",
    )
    assert render_full(report.diagnostics, sources_of(text)) == (
        "error[unknown-key]: unknown key `learning_rte` in a `grpo` stage\n"
        "  --> task.toml:14:1\n"
        "   |\n"
        "14 | learning_rte = 1e-6\n"
        "   | ^^^^^^^^^^^^ did you mean `learning_rate`?\n"
    )


def test_hints_and_related_places_follow_and_findings_are_apart() -> None:
    text = "a = 1\n" + "\n" * 9 + "a = 2\n"
    first, second = Span(0, 1), Span(15, 16)
    twice = Diagnostic(
        "duplicate-key",
        Severity.ERROR,
        "key `a` is given twice",
        Place(NAME, second),
        None,
        ("keep one of the two", "or neither"),
        (Related(Place(NAME, first), "first given here"),),
    )
    plain = Diagnostic("other", Severity.WARNING, "no place")
    assert render_full([twice, plain], sources_of(text)) == (
        "error[duplicate-key]: key `a` is given twice\n"
        "  --> task.toml:11:1\n"
        "   |\n"
        "11 | a = 2\n"
        "   | ^\n"
        "  ::: task.toml:1:1\n"
        "   |\n"
        " 1 | a = 1\n"
        "   | - first given here\n"
        "   |\n"
        "   = hint: keep one of the two\n"
        "   = hint: or neither\n"
        "\n"
        "warning[other]: no place\n"
    )


def test_the_concise_form_is_one_line_each() -> None:
    text = "a = 1\nb = 2\n"
    other = Diagnostic("x", Severity.WARNING, "two\nlines", Place("gone.toml", Span(0, 1)))
    bare = Diagnostic("y", Severity.ERROR, "nowhere")
    assert render_concise([finding(text, "b"), other, bare], sources_of(text)) == (
        "task.toml:2:1: error[some-code]: something is so\n"
        "gone.toml: warning[x]: two␊lines\n"
        "error[y]: nowhere\n"
    )


def test_the_json_form_has_a_version_and_places_from_one() -> None:
    text = "a = 1\nbé = 2\n"
    found = json.loads(render_json([finding(text, "bé", "here")], sources_of(text)))
    assert found["version"] == 1
    assert found["diagnostics"] == [
        {
            "code": "some-code",
            "severity": "error",
            "message": "something is so",
            "file": "task.toml",
            "line": 2,
            "column": 1,
            "end_line": 2,
            "end_column": 3,
            "label": "here",
            "hints": [],
            "related": [],
        }
    ]
    assert json.loads(render_json([], {})) == {"version": 1, "diagnostics": []}
    nowhere = json.loads(render_json([Diagnostic("y", Severity.ERROR, "m")], {}))
    assert nowhere["diagnostics"][0]["file"] is None
    assert nowhere["diagnostics"][0]["line"] is None


@pytest.mark.parametrize(
    ("text", "marked", "line", "carets"),
    [
        ("\tx = 1", "x", "    x = 1", "    ^"),
        ("x = 'a\tb' y", "y", "x = 'a    b' y", "             ^"),
        ("x = '漢字' y", "y", "x = '漢字' y", "           ^"),
        ("x = '漢字'", "漢字", "x = '漢字'", "     ^^^^"),
        ("x = 'e\u0301' y", "y", "x = 'e\u0301' y", "        ^"),
        ("x = \x1b[31m y", "y", "x = ␛[31m y", "          ^"),
        ("x = \u202e y", "y", "x = � y", "      ^"),
        ("x = '''a\nb''' y", "'''a\nb'''", "x = '''a", "    ^^^^"),
        ("", "", "", "^"),
    ],
)
def test_the_caret_stands_under_what_it_marks(
    text: str, marked: str, line: str, carets: str
) -> None:
    assert drawn(text, marked) == (line, carets)


def test_a_long_line_is_cut_round_the_caret() -> None:
    text = "x = '" + "a" * 5000 + "MARK" + "b" * 5000 + "'"
    line, carets = drawn(text, "MARK")
    assert len(line) <= 102
    assert line.startswith("…")
    assert line.endswith("…")
    assert line[carets.index("^") :].startswith("MARK")
    assert carets.strip() == "^^^^"


def test_a_place_behind_the_end_of_the_file_is_shown_at_its_end() -> None:
    text = "x = 1"
    found = Diagnostic("c", Severity.ERROR, "m", Place(NAME, Span(99, 100)))
    assert render_full([found], sources_of(text)).splitlines()[1] == " --> task.toml:1:6"


def test_colour_only_adds_to_the_text() -> None:
    text = "a = 1\n"
    found = [finding(text, "a", "label")]
    coloured = render_full(found, sources_of(text), color=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_full(found, sources_of(text))


def test_a_message_sends_nothing_to_the_terminal_that_moves_or_hides_text() -> None:
    place = Place("a\x1b.toml", Span(0, 0))
    found = Diagnostic("c", Severity.ERROR, "\x1b[2J\u202e", place, "\x07", ("\x1b]0;x",))
    for text in (render_full([found], {}), render_concise([found], {})):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", text)


@given(st.text(), st.integers(0, 40), st.integers(0, 40))
def test_any_span_of_any_text_can_be_drawn(text: str, start: int, length: int) -> None:
    found = Diagnostic("c", Severity.ERROR, text, Place(NAME, Span(start, start + length)))
    assert len(render_full([found], sources_of(text)).splitlines()) >= 5
    assert len(render_concise([found], sources_of(text)).split("\n")) == 2
    json.loads(render_json([found], sources_of(text)))


def test_the_summary_counts_errors_and_warnings() -> None:
    error = Diagnostic("c", Severity.ERROR, "m")
    warning = Diagnostic("c", Severity.WARNING, "m")
    assert summary([]) == "no errors"
    assert summary([warning]) == "1 warning"
    assert summary([error, warning, error]) == "2 errors, 1 warning"
