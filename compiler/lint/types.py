"""What pyright finds in a project, where it is installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from compiler.diagnostics import Report, Span
from compiler.installed import BrokenPythonError, lacking_packages
from compiler.lint.folder import Linted

__all__ = ["find_pyright", "pyright_findings"]


def find_pyright(python: Path) -> Path | None:
    """Find pyright beside a Python, on the path, or beside the Python that runs this."""
    for folder in (python.parent, None, Path(sys.executable).parent):
        path = None if folder is None else str(folder)
        if (found := shutil.which("pyright", path=path)) is not None:
            return Path(found).absolute()
    return None


def pyright_findings(linted: Linted, python: Path, report: Report) -> str | None:
    """Let pyright check a project as the project configures it; say why where it is skipped.

    It needs the packages of the project in that Python: without them each import is an error.
    """
    pyright = find_pyright(python)
    if pyright is None:
        return "it is not installed (`pip install pyright`)"
    try:
        lacking = lacking_packages(linted.root, python)
    except BrokenPythonError as error:
        return f"`{python}` cannot be run: {error}"
    if lacking:
        return f"`{python}` lacks {', '.join(lacking)}"
    done = subprocess.run(
        [pyright, "--outputjson", "--pythonpath", python.absolute()],
        cwd=linted.root,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        said = (done.stderr or done.stdout).strip().splitlines() or ["it says nothing"]
        return f"it ended with exit code {done.returncode}: {said[-1]}"
    for entry in found["generalDiagnostics"]:
        _report(linted, entry, report)
    return None


def _report(linted: Linted, entry: dict[str, Any], report: Report) -> None:
    path = Path(entry["file"])
    root = linted.root.resolve()
    if not path.is_relative_to(root) or entry["severity"] not in ("error", "warning"):
        return
    module = linted.modules.get(path.relative_to(root).as_posix())
    if module is None or module.fault is not None:
        return
    start, end = (
        module.offset_of_units(at["line"], at["character"])
        for at in (entry["range"]["start"], entry["range"]["end"])
    )
    rule = f" ({entry['rule']})" if entry.get("rule") else ""
    message = f"{entry['message'].splitlines()[0]}{rule}"
    place = module.source.place(Span(start, max(start, end)))
    if entry["severity"] == "error":
        report.error("pyright-finding", message, place)
    else:
        report.warning("pyright-finding", message, place)
