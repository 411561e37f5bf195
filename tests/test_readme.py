"""The README's spec and its mistake are what they are said to be."""

import re
from pathlib import Path

import pytest

from compiler.diagnostics import Stop
from compiler.pipeline import Findings, check_file
from compiler.render import render_full
from tests.projects import write_project

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
SPEC, HARDWARE, PREFERENCES = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)


def test_the_spec_has_as_many_lines_as_its_heading_says() -> None:
    lines = [line for line in SPEC.splitlines() if line.strip()]
    assert f"## A spec of {len(lines)} lines" in README


def test_the_spec_compiles_to_the_files_that_are_listed(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", SPEC)
    listing = README.partition("What comes out:")[2].split("```")[1]
    written = {path.name for path in project.rglob("*") if path.is_file()}
    for name in re.findall(r"[\w.]+\.(?:py|md|sh|toml|yml)", listing):
        assert name in written, name
    named = set(re.findall(r"[\w.]+", listing))
    top = {path.name for path in project.iterdir()} - {"train.jsonl", "task.toml", ".github"}
    assert top <= named


def test_the_table_of_the_machine_is_right(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_text(SPEC.replace('hardware = { tier = "24gb" }\n', "") + HARDWARE, encoding="utf-8")
    findings = Findings()
    check_file(path, [], findings)
    assert not findings.diagnostics


def test_the_spec_of_preferences_is_right(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_text(PREFERENCES, encoding="utf-8")
    rows = "".join(f"Where is {number}?;Here it is.;What?\n" for number in range(99))
    text = f"customer;good reply;bad reply\n{rows}"
    (tmp_path / "replies.csv").write_text(text, encoding="utf-8")
    findings = Findings()
    check_file(path, [], findings)
    assert not findings.diagnostics


def test_the_mistake_is_shown_as_it_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_text(SPEC.replace("num_generations", "num_generation"), encoding="utf-8")
    findings = Findings()
    with pytest.raises(Stop):
        check_file(path, [], findings)
    shown = render_full(findings.diagnostics, findings.sources).replace(str(path), "task.toml")
    block = README.partition("A mistake looks like this:")[2].split("```")[1].strip()
    assert block in shown
