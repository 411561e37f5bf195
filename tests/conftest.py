"""Options of our own for the tests."""

import sys
from pathlib import Path

import pytest

from compiler import cli
from tests.command_line import Done, Run, write_task


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="write the expected texts anew; review the diff"
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a right spec and its rows, in which the commands run."""
    project = write_task(tmp_path / "project")
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in this process."""

    def command(*arguments: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["trainspec", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        code = ended.value.code
        return Done(code if isinstance(code, int) else 0, captured.out, captured.err)

    return command
