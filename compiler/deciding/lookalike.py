"""Finds a file of the project that its owner has given another name."""

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from compiler.manifest import plain_text

__all__ = ["find_lookalike"]

# The share of lines from which git, too, takes two files for one that was renamed.
_ALIKE = 0.5
# No text of ours comes near this size; data does.
_LARGEST = 1_000_000
_NOT_SOURCES = {"outputs", "node_modules", "__pycache__", "build", "dist"}


def find_lookalike(project: Path, path: str, text: str, known: Collection[str]) -> str | None:
    """Give the path of the file most like `text`, not among `known`; None where none is alike.

    Alike is a file of the same suffix that shares half of its lines with the text, or more.
    """
    lines = _lines(text)
    best = (_ALIKE, "")
    for other in _files(project, Path(path).suffix):
        name = other.relative_to(project).as_posix()
        if name in known or not lines:
            continue
        found = plain_text(other.read_bytes())
        theirs = _lines(found or "")
        share = len(lines & theirs) / max(len(lines), len(theirs))
        best = max(best, (share, name))
    return best[1] or None


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.splitlines()} - {""}


def _files(project: Path, suffix: str) -> Iterator[Path]:
    for folder, folders, names in os.walk(project):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _NOT_SOURCES
            and not (Path(folder) / name / "pyvenv.cfg").exists()
        )
        for name in sorted(names):
            place = Path(folder) / name
            if place.suffix != suffix or place.is_symlink():
                continue
            if place.is_file() and place.stat().st_size <= _LARGEST:
                yield place
