"""The journal of one run over a project: what it does, while it goes on and after it ended.

It lies in `.trainspec/staged/`, with the new bytes and copies of the old. While it is there the run
goes on: it is followed to its end, or taken back. At the end the folder, which by then holds the
old bytes, becomes `.trainspec/undo/`, by which the run can be taken back later.
"""

import contextlib
import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple

from compiler.manifest import STATE_FOLDER, damaged
from compiler.unsettled import Unsettled
from compiler.writing.disk import Obstacle, look
from compiler.writing.syncing import sync_folder, write_synced

__all__ = [
    "MovedFolder",
    "Record",
    "Step",
    "close_record",
    "digest",
    "digest_now",
    "discard_staged",
    "has_moved",
    "is_broken_off",
    "load_running",
    "load_undo",
    "save_record",
    "set_aside_staged",
    "staged_folder",
    "undo_folder",
]

_JOURNAL = "journal.json"


class Step(NamedTuple):
    """One path, with the digests of its bytes; None where there is no file."""

    path: str
    before: str | None
    after: str | None


class MovedFolder(NamedTuple):
    """A folder that gets another name; its inode tells it from another one of that name."""

    old: str
    new: str
    inode: int


class Record(NamedTuple):
    """What one run does: removals first, then new folders, then writes, then moves.

    The file `new-N` has the bytes that step N writes, until it has written them; `old-N` a copy of
    those that it replaces, or, once that is done, the very file that it removes.
    """

    steps: tuple[Step, ...]
    moves: tuple[MovedFolder, ...]
    new_folders: tuple[str, ...]
    can_be_undone: bool
    back: bool = False


def staged_folder(project: Path) -> Path:
    """Give the folder of the run that goes on."""
    return project / STATE_FOLDER / "staged"


def undo_folder(project: Path) -> Path:
    """Give the folder of the run that ended last."""
    return project / STATE_FOLDER / "undo"


def is_broken_off(project: Path) -> bool:
    """Whether a run has begun and not ended: it goes on, or its process died."""
    return (staged_folder(project) / _JOURNAL).exists()


def load_running(project: Path) -> Record:
    """Read the record of the run that has begun and not ended."""
    return _load(staged_folder(project))


def load_undo(project: Path) -> Record | None:
    """Read the record of the last run, or None where none can be taken back."""
    folder = undo_folder(project)
    if not (folder / _JOURNAL).exists():
        return None
    try:
        return _load(folder)
    except Unsettled as unreadable:
        # Version control has no copy of it, and no one can rebuild it.
        *lines, _ = unreadable.lines
        hint = "hint: the files can still be brought back from version control"
        raise Unsettled((*lines, hint)) from unreadable


def save_record(project: Path, record: Record) -> None:
    """Write the record of a run; from here on the run has begun."""
    staged = staged_folder(project)
    fresh = staged / f"{_JOURNAL}.new"
    write_synced(fresh, json.dumps(record._asdict()).encode())
    fresh.replace(staged / _JOURNAL)
    sync_folder(staged)


def close_record(project: Path, *, keep: bool) -> None:
    """End the run; where its record is kept, the run before it can no longer be taken back."""
    staged, undo = staged_folder(project), undo_folder(project)
    if keep:
        if undo.is_dir() and not undo.is_symlink():
            shutil.rmtree(undo)
        elif os.path.lexists(undo):
            undo.unlink()
        staged.replace(undo)
        sync_folder(undo.parent)
    else:
        (staged / _JOURNAL).unlink()
        sync_folder(staged)
        discard_staged(project)


def discard_staged(project: Path) -> None:
    """Remove what a run that never began, or was taken back, has left."""
    staged = staged_folder(project)
    if staged.is_dir():
        shutil.rmtree(staged)


def set_aside_staged(project: Path) -> str | None:
    """Move what a run has left whose record cannot be read out of the way, and say where to."""
    staged = staged_folder(project)
    aside = staged.with_name("broken-off")
    if not is_broken_off(project):
        return None
    with contextlib.suppress(Unsettled):
        _load(staged)
        return None
    staged.replace(aside)
    return (
        f"`{STATE_FOLDER}/{aside.name}/` holds copies of files that a compile was changing when it "
        "was broken off; it cannot be finished or taken back"
    )


def digest(data: bytes | None) -> str | None:
    """Give what tells two files' bytes apart."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def digest_now(project: Path, path: str) -> str | None:
    """Give the digest of what is at a path; of an obstacle, a text that is no digest."""
    found = look(project, path)
    return found.reason if isinstance(found, Obstacle) else digest(found)


def has_moved(project: Path, move: MovedFolder) -> bool | None:
    """Whether the folder bears its new name; None where neither name is that folder's."""
    for name, moved in ((move.old, False), (move.new, True)):
        with contextlib.suppress(OSError):
            if (project / name).lstat().st_ino == move.inode:
                return moved
    return None


def _load(folder: Path) -> Record:
    try:
        record = json.loads((folder / _JOURNAL).read_bytes())
        return Record(
            tuple(Step(*step) for step in record["steps"]),
            tuple(MovedFolder(*move) for move in record["moves"]),
            tuple(record["new_folders"]),
            record["can_be_undone"],
            record["back"],
        )
    except (ValueError, KeyError, TypeError) as error:
        message = f"`{STATE_FOLDER}/{folder.name}/{_JOURNAL}` cannot be read"
        raise damaged(message) from error
