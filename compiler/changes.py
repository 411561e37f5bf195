"""What a compile would do to a project: (base, disk, new) -> changes, kept files and refusals."""

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from compiler.manifest import STATE_FOLDER, plain_text

__all__ = ["Changes", "Obstacle", "check_paths", "compare", "look"]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands at a path where only a regular file may stand, as the end of a sentence."""

    reason: str


@dataclass(slots=True)
class Changes:
    """What becomes of each path; nothing may be written where one must be settled first."""

    added: dict[str, str] = field(default_factory=dict[str, str])
    updated: dict[str, str] = field(default_factory=dict[str, str])
    removed: list[str] = field(default_factory=list[str])
    kept: list[str] = field(default_factory=list[str])
    still_deleted: list[str] = field(default_factory=list[str])
    abandoned: list[str] = field(default_factory=list[str])
    taken_over: list[str] = field(default_factory=list[str])
    edited: list[str] = field(default_factory=list[str])
    foreign: list[str] = field(default_factory=list[str])
    blocked: dict[str, str] = field(default_factory=dict[str, str])
    seen: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])

    @property
    def refused(self) -> bool:
        """Whether something is in the way that its owner must settle first."""
        return bool(self.edited or self.foreign or self.blocked)


def check_paths(paths: Mapping[str, str]) -> None:
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
        if path.casefold() in folded or any(str(up).casefold() in folded for up in pure.parents):
            message = f"{path!r} meets another path of the same tree"
            raise ValueError(message)
        folded.add(path.casefold())


def look(project: Path, path: str) -> bytes | Obstacle | None:
    """Give the bytes at a path of the project, None where nothing is, never through a symlink."""
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
            return Obstacle(f"`{shown}` is a symbolic link")
        if position + 1 < len(parts) and not stat.S_ISDIR(mode):
            return Obstacle(f"`{shown}` is not a folder")
        if position + 1 == len(parts) and not stat.S_ISREG(mode):
            return Obstacle(
                f"`{shown}` is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}"
            )
    return place.read_bytes()


def compare(project: Path, base: Mapping[str, str], new: Mapping[str, str]) -> Changes:
    """Compare what was written last time, what is on disk and what would be written now."""
    check_paths(new)
    changes = Changes()
    for path in sorted({*base, *new}):
        found = look(project, path)
        if not isinstance(found, Obstacle):
            changes.seen[path] = found
        if path not in new:
            _no_longer_written(path, found, base[path], changes)
        elif path in base:
            _written_again(path, found, base[path], new[path], changes)
        else:
            _written_first(project, path, found, new[path], changes)
    return changes


def _no_longer_written(
    path: str, found: bytes | Obstacle | None, base: str, changes: Changes
) -> None:
    match found:
        case None:
            return
        case bytes() if plain_text(found) == base:
            changes.removed.append(path)
        case _:
            changes.abandoned.append(path)


def _written_again(
    path: str, found: bytes | Obstacle | None, base: str, new: str, changes: Changes
) -> None:
    match found:
        case None:
            changes.still_deleted.append(path)
        case bytes() if plain_text(found) == new:
            return
        case bytes() if plain_text(found) == base:
            changes.updated[path] = new
        case _ if base == new:
            changes.kept.append(path)
        case Obstacle(reason):
            changes.blocked[path] = reason
        case _:
            changes.edited.append(path)


def _written_first(
    project: Path, path: str, found: bytes | Obstacle | None, new: str, changes: Changes
) -> None:
    match found:
        case None:
            twin = _twin_but_for_case(project, path)
            if twin is None:
                changes.added[path] = new
            else:
                changes.blocked[path] = f"`{twin}` differs from it only in case"
        case Obstacle(reason):
            changes.blocked[path] = reason
        case bytes() if plain_text(found) == new:
            changes.taken_over.append(path)
        case _:
            changes.foreign.append(path)


def _twin_but_for_case(project: Path, path: str) -> str | None:
    place = project
    for part in PurePosixPath(path).parts:
        if not place.is_dir():
            return None
        for name in sorted(entry.name for entry in place.iterdir()):
            if name != part and name.casefold() == part.casefold():
                return (place / name).relative_to(project).as_posix()
        place /= part
    return None
