"""Each folder of `tests/cases` is a wrong spec with the findings that a person must see."""

import ast
import contextlib
import re
from pathlib import Path

import pytest

from compiler.diagnostics import Stop
from compiler.explanation import explained_codes
from compiler.pipeline import Findings, check_file
from compiler.render import render_concise, render_full

ROOT = Path(__file__).parent.parent
CASES = sorted(path for path in (ROOT / "tests/cases").iterdir() if path.is_dir())
# Those of scripts and projects have a test of their own: tests/lint/test_cases.py.
LINT_CASES = sorted(path for path in (ROOT / "tests/lint/cases").iterdir() if path.is_dir())
# A file that may not be read cannot be committed; tests/test_source.py makes one. That a project
# is behind its spec is no fault of the spec; tests/commands/test_preview.py has it. pyright is
# slow; tests/lint/test_types.py runs it.
WITHOUT_A_CASE = {"not-readable", "out-of-date", "pyright-finding"}


def found_in(case: Path, monkeypatch: pytest.MonkeyPatch) -> Findings:
    monkeypatch.chdir(case)
    findings = Findings()
    with contextlib.suppress(Stop):
        check_file(Path("task.toml"), [], findings)
    return findings


def compare(path: Path, text: str, *, update: bool) -> None:
    if update:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_wrong_spec_gets_its_findings(
    case: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    findings = found_in(case, monkeypatch)
    update = bool(request.config.getoption("--update"))
    text = render_concise(findings.diagnostics, findings.sources)
    compare(case / "expected.txt", text, update=update)
    if (case / "expected-full.txt").exists():
        full = render_full(findings.diagnostics, findings.sources)
        compare(case / "expected-full.txt", full, update=update)
    slug = re.sub(r"-\d+$", "", case.name)
    assert slug in {finding.code for finding in findings.diagnostics}
    assert all(finding.place for finding in findings.diagnostics)


def literals() -> tuple[set[str], set[str]]:
    """Every text that stands in the compiler, and those in calls of `error` and `warning`."""
    texts: set[str] = set()
    codes: set[str] = set()
    for path in (ROOT / "compiler").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Constant(value=str(text)):
                    texts.add(text)
                case ast.Call(
                    func=ast.Attribute(attr="error" | "warning"),
                    args=[ast.Constant(value=str(code)), *_],
                ):
                    codes.add(code)
                case _:
                    pass
    return texts, codes


def test_each_code_has_a_page_and_each_page_a_code() -> None:
    texts, codes = literals()
    assert codes - set(explained_codes()) == set()
    assert set(explained_codes()) - texts == set()


def test_each_page_has_a_case_and_each_case_a_page() -> None:
    slugs = {re.sub(r"-\d+$", "", case.name) for case in (*CASES, *LINT_CASES)}
    assert slugs | WITHOUT_A_CASE == set(explained_codes())


def is_only_told(code: str) -> bool:
    """Whether every case of a code shows it as a warning."""
    shown = [(case / "expected.txt").read_text(encoding="utf-8") for case in (*CASES, *LINT_CASES)]
    levels = re.findall(rf"(error|warning)\[{code}\]", "".join(shown))
    return set(levels) == {"warning"}


@pytest.mark.parametrize("code", explained_codes())
def test_a_page_has_its_four_parts(code: str) -> None:
    text = (ROOT / f"compiler/explain/{code}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {code}\n")
    why = "Why you are told" if is_only_told(code) else "Why it is refused"
    parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert parts == ["What it means", why, "Example", "Write instead"]
