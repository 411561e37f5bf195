"""Mends what can be mended safely: arguments under their new names, and what ruff calls safe."""

import contextlib
import os
from collections import defaultdict
from pathlib import Path

from compiler.lint.folder import Edit
from compiler.lint.names import ruff_fix
from compiler.lint.run import Linting
from compiler.merge.forms import read_form, write_form
from compiler.writing.lock import locked

__all__ = ["repair"]


def repair(linting: Linting) -> list[str]:
    """Write what mends findings into the files of a folder, and name the files that changed.

    Ruff mends projects alone, as these configure it. Files behind symbolic links stay as they are.
    Raises `Locked` where another process writes into the project.
    """
    linted = linting.linted
    names = {
        path: linted.root / path
        for path, module in linted.modules.items()
        if module.fault is None and not (linted.root / path).is_symlink()
    }
    is_project = linted.last is not None
    with locked(linted.root) if is_project else contextlib.nullcontext():
        before = {path: file.read_bytes() for path, file in names.items()}
        edits: dict[str, list[Edit]] = defaultdict(list)
        for edit in linting.edits:
            edits[edit.place.file].append(edit)
        for path, file in names.items():
            if file_edits := edits.get(str(file)):
                _write(file, before[path], file_edits)
        if is_project and names:
            ruff_fix(linted.root, sorted(names))
        return [path for path, file in names.items() if file.read_bytes() != before[path]]


def _write(file: Path, data: bytes, edits: list[Edit]) -> None:
    """Make edits to a file that stays in its form: byte order mark, line ends, permissions."""
    form = read_form(data)
    if form is None:
        return
    text = form.text
    for edit in sorted(edits, key=lambda edit: edit.place.span, reverse=True):
        text = text[: edit.place.span.start] + edit.text + text[edit.place.span.end :]
    beside = file.with_name(f".{file.name}.lint")
    beside.write_bytes(write_form(text, form))
    beside.chmod(file.stat().st_mode)
    os.replace(beside, file)  # noqa: PTH105  # so that a half-written file is never seen
