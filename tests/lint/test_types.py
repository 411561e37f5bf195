"""pyright within lint: run where it can be, and said to be skipped where it cannot."""

import sys
from pathlib import Path

import pytest

from compiler.lint import lint, lint_types
from tests.command_line import Run


@pytest.mark.heavy
def test_pyright_checks_a_project_as_it_configures(folder: Path, run: Run) -> None:
    assert run("compile").code == 0
    python = Path(sys.executable)
    linting, skipped = lint_types(lint(Path()), python)
    assert (linting.diagnostics, skipped) == ((), None)
    stages = folder / "stages.py"
    stages.write_text(stages.read_text() + '\n\nLIMIT: int = "é"\n')
    linting, skipped = lint_types(lint(Path()), python)
    [found] = linting.diagnostics
    assert found.code == "pyright-finding"
    assert found.place is not None
    assert stages.read_text()[slice(*found.place.span)] == '"é"'


@pytest.mark.usefixtures("folder")
def test_a_python_without_the_packages_is_no_reason_for_findings(run: Run, tmp_path: Path) -> None:
    assert run("compile").code == 0
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    linting, skipped = lint_types(lint(Path()), python)
    assert linting.diagnostics == ()
    assert skipped is not None
    assert "lacks `trl`" in skipped


def test_a_script_of_another_kind_is_not_checked(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import nowhere\n")
    assert lint_types(lint(tmp_path), Path(sys.executable))[1] is None
