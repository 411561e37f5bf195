"""Make the pieces that run code importable as they stand, and watch what they leave behind."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "templates"
sys.path[:0] = [str(TEMPLATES / "answers"), str(TEMPLATES / "rewards")]

import sandbox  # noqa: E402 - found where the path above leads


def processes_of(sessions: list[int]) -> list[str]:
    """The processes that still are in these sessions."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        try:
            after_name = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if entry.name.isdigit() and int(after_name[3]) in sessions:
            found.append((entry / "cmdline").read_text())
    return found


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process and no folder outlives a test."""
    sessions: list[int] = []
    start = sandbox.started

    def started(function: str, folder: str, readable: str) -> subprocess.Popen[bytes]:
        process = start(function, folder, readable)
        sessions.append(process.pid)
        return process

    monkeypatch.setattr(sandbox, "started", started)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    end = time.monotonic() + 10
    while processes_of(sessions) and time.monotonic() < end:
        time.sleep(0.05)
    assert processes_of(sessions) == []
    assert list(tmp_path.glob("confined-*")) == []
