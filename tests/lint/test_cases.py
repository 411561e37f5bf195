"""Each folder of `tests/lint/cases` is a folder of scripts, or a project, with its findings."""

import re
from pathlib import Path

import pytest

from compiler.lint import lint
from compiler.render import render_concise

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_faulty_script_gets_its_findings(
    case: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(case)
    findings = lint(Path()).findings
    text = render_concise(findings.diagnostics, findings.sources)
    if request.config.getoption("--update"):
        (case / "expected.txt").write_text(text, encoding="utf-8")
    assert text == (case / "expected.txt").read_text(encoding="utf-8")
    assert re.sub(r"-\d+$", "", case.name) in {found.code for found in findings.diagnostics}
    assert all(found.place for found in findings.diagnostics)
