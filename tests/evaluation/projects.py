"""A compiled project whose scripts run where no connection can be opened."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["TINY", "report_of", "run"]

NO_SOCKETS = """
import socket

def refuse(self, address):
    raise AssertionError(f"{address} is asked")

socket.socket.connect = refuse
"""
TINY = (
    "import pathlib, tiny_model; tiny_model.write_tiny_model(pathlib.Path('tiny-model'), ['1+1?'])"
)


def run(project: Path, *command: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in the project, where no connection can be opened."""
    blocked = project / "blocked"
    blocked.mkdir(exist_ok=True)
    (blocked / "sitecustomize.py").write_text(NO_SOCKETS)
    variables = {"HF_HUB_OFFLINE": "1", "PYTHONPATH": f"{blocked}{os.pathsep}{project / path}"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def report_of(project: Path, name: str = "evaluation.json") -> dict[str, Any]:
    return json.loads((project / "outputs" / name).read_text(encoding="utf-8"))
