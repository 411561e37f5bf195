"""What ruff finds: names that a merge has orphaned, and all that the project's settings ask for."""

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruff.__main__ import (  # pyright: ignore[reportMissingTypeStubs]  # ruff has none
    find_ruff_bin,
)

from compiler.diagnostics import Place, Report, Span
from compiler.lint.folder import Linted
from compiler.lint.module import Module

__all__ = ["ruff_findings", "ruff_fix", "undefined_names"]

_UNDEFINED = ("F821", "F822", "F823")
_UNUSED_IMPORT = "F401"
_ENDS = ("location", "end_location")
_ALONE = ("--isolated", "--select", ",".join(_UNDEFINED))


def ruff_findings(linted: Linted, report: Report) -> None:
    """Ruff checks a project as the project configures it, any other script for undefined names.

    Undefined names are looked for in each case.
    """
    if linted.last is None:
        options = [*_ALONE, *(str(path) for path in linted.modules)]
    else:
        options = ["--extend-select", ",".join(_UNDEFINED), "."]
    done = _check(linted.root, *options)
    if done.returncode != 0:
        path = linted.root / "pyproject.toml"
        reason = (done.stderr.strip().splitlines() or ["it says nothing"])[-1].strip()
        message = f"ruff cannot check this project: {reason}"
        report.error("ruff-finding", message, Place(str(path), Span(0, 0)))
        return
    root = linted.root.resolve()
    modules = {str(root / path): module for path, module in linted.modules.items()}
    for entry in json.loads(done.stdout):
        module = modules.get(entry["filename"])
        if module is not None and module.fault is None:
            _report(report, module, entry)


def undefined_names(modules: Mapping[str, Module], report: Report) -> None:
    """Look for undefined names in texts that stand nowhere on disk."""
    with tempfile.TemporaryDirectory(prefix="trainspec-lint-") as folder:
        root = Path(folder).resolve()
        paths = {str(root / path): module for path, module in modules.items()}
        for path, module in paths.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(module.source.text, encoding="utf-8", newline="")
        for entry in json.loads(_check(root, *_ALONE, ".").stdout or "[]"):
            module = paths.get(entry["filename"])
            if module is not None and module.fault is None:
                _report(report, module, entry)


def ruff_fix(root: Path, modules: Sequence[str]) -> None:
    """Let ruff mend what it can without changing what the code does, as the project configures."""
    _run(root, "--fix", "--exit-zero", "--force-exclude", *modules)


def _check(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return _run(root, "--exit-zero", "--output-format", "json", *options)


def _run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [find_ruff_bin(), "check", "--no-cache", "--quiet", *options],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def _report(report: Report, module: Module, entry: dict[str, Any]) -> None:
    code, message = str(entry["code"]), str(entry["message"])
    start, end = (module.offset(entry[at]["row"], entry[at]["column"]) for at in _ENDS)
    place = module.source.place(Span(start, max(start, end)))
    if code in _UNDEFINED:
        told = message[:1].lower() + message[1:]
        report.error("undefined-name", f"{told} ({code})", place)
    elif code == _UNUSED_IMPORT:
        hint = "remove it; `trainspec lint --fix` does"
        report.warning("unused-import", f"{message} ({code})", place, hints=(hint,))
    else:
        report.warning("ruff-finding", f"{message} ({code})", place)
