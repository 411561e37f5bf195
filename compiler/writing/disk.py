"""What stands at a path of a project; nothing is looked at through a symbolic link."""

import os
import stat
import unicodedata
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from compiler.manifest import STATE_FOLDER

__all__ = ["Obstacle", "Sight", "check_paths", "look", "makes_way", "twin_but_for_case"]


class Obstacle(NamedTuple):
    """What stands where only a regular file may stand: the place, and a phrase that says what.

    The place is the path itself, or a folder above it that is none.
    """

    place: str
    reason: str


# What a look at a path finds: a file's bytes, something else, or nothing.
Sight = bytes | Obstacle | None


def check_paths(paths: Iterable[str]) -> None:
    """Raise ValueError for a path that leaves the project or meets its state or another path."""
    folded: set[str] = set()
    for path in sorted(paths):
        pure = PurePosixPath(path)
        parts = pure.parts
        odd = pure.is_absolute() or not parts or ".." in parts or str(pure) != path
        if odd or "\\" in path or "\0" in path or ":" in path:
            message = f"a file cannot be written at {path!r}"
            raise ValueError(message)
        if parts[0].casefold() in {STATE_FOLDER, ".git"}:
            message = f"{path!r} lies in a folder that is not the compiler's to write"
            raise ValueError(message)
        if _folded(path) in folded or any(_folded(str(up)) in folded for up in pure.parents):
            message = f"{path!r} meets another path of the same tree"
            raise ValueError(message)
        folded.add(_folded(path))


def look(project: Path, path: str) -> Sight:
    """Give what is at a path of the project."""
    place = project
    parts = PurePosixPath(path).parts
    for position, part in enumerate(parts):
        place /= part
        shown = "/".join(parts[: position + 1])
        try:
            mode = os.lstat(place).st_mode
        except FileNotFoundError:
            return None
        if stat.S_ISLNK(mode):
            return Obstacle(shown, f"`{shown}` is a symbolic link")
        if position + 1 < len(parts) and not stat.S_ISDIR(mode):
            return Obstacle(shown, f"`{shown}` is not a folder")
        if position + 1 == len(parts) and not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
            return Obstacle(shown, f"`{shown}` is {what}")
    return place.read_bytes()


def twin_but_for_case(project: Path, path: str) -> str | None:
    """Give what a file system that does not tell letters' case apart would take for this path."""
    place = project
    for part in PurePosixPath(path).parts:
        if not place.is_dir():
            return None
        for other in sorted(place.iterdir()):
            if other.name != part and _folded(other.name) == _folded(part):
                return other.relative_to(project).as_posix()
        place /= part
    return None


def makes_way(project: Path, place: str, leaving: Collection[str]) -> bool:
    """Whether the file or folder at a place goes where all of these files do."""
    if place in leaving:
        return True
    folder = project / place
    if folder.is_symlink() or not folder.is_dir():
        return False
    held = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    return bool(held) and {path.relative_to(project).as_posix() for path in held} <= set(leaving)


def _folded(name: str) -> str:
    # Some file systems also take the two spellings of an accented letter for one.
    return unicodedata.normalize("NFC", name).casefold()
