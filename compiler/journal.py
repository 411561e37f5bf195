"""Replaces many files of a folder as one step: staged, journalled, renamed; mended after a kill."""

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from compiler.changes import Obstacle, look
from compiler.manifest import STATE_FOLDER, damaged
from compiler.unsettled import Unsettled

__all__ = ["commit", "recover", "sync_folder", "write_synced"]

_JOURNAL = "journal.json"
_STAGED = "staged"


@dataclass(frozen=True, slots=True)
class _Step:
    path: str
    before: str | None
    after: str | None


@dataclass(slots=True)
class _Journal:
    steps: list[_Step]
    new_folders: list[str]
    back: bool = False


def commit(
    project: Path, writes: Mapping[str, bytes | None], seen: Mapping[str, bytes | None]
) -> None:
    """Make each path hold its new bytes, or be gone where they are None: all of them or none.

    `seen` is what each path held when the decision was taken; a path that holds something else by
    now ends it with `Unsettled`.
    """
    steps = [
        _Step(path, _digest(seen[path]), _digest(data))
        for path, data in writes.items()
        if data != seen[path]
    ]
    if not steps:
        return
    journal = _Journal(steps, _missing_folders(project, steps))
    state = project / STATE_FOLDER
    begun = False
    try:
        _stage(project, journal, writes, seen)
        _save(state, journal)
        begun = True
    finally:
        if not begun:
            _discard(state)
    _run(project, journal)


def recover(project: Path) -> str | None:
    """Finish a run that was broken off, or take it back; say which, None where there is none."""
    state = project / STATE_FOLDER
    if not (state / _JOURNAL).exists():
        _discard(state)
        return None
    journal = _load(state)
    if journal.back or not all(_can_follow(project, i, s) for i, s in enumerate(journal.steps)):
        _take_back(project, journal)
        return "taken back"
    _run(project, journal)
    return "finished"


def write_synced(path: Path, data: bytes, *, executable: bool = False) -> None:
    """Write a new file and wait until it is on the disk."""
    try:
        with path.open("wb") as stream:
            stream.write(data)
            stream.flush()
            if executable:
                # Who may read a script may run it.
                mode = os.fstat(stream.fileno()).st_mode
                os.fchmod(stream.fileno(), mode | (mode & 0o444) >> 2)
            os.fsync(stream.fileno())
    except OSError as error:
        # A full disk does not name the file.
        error.filename = error.filename or str(path)
        raise


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _stage(
    project: Path,
    journal: _Journal,
    writes: Mapping[str, bytes | None],
    seen: Mapping[str, bytes | None],
) -> None:
    staged = project / STATE_FOLDER / _STAGED
    staged.mkdir()
    for index, step in enumerate(journal.steps):
        new, old = writes[step.path], seen[step.path]
        if new is None:
            continue
        write_synced(staged / f"new-{index}", new, executable=step.path.endswith(".sh"))
        if old is not None:
            write_synced(staged / f"old-{index}", old)
            mode = (project / step.path).stat().st_mode
            (staged / f"new-{index}").chmod(mode)
            (staged / f"old-{index}").chmod(mode)
    sync_folder(staged)


def _run(project: Path, journal: _Journal) -> None:
    done = False
    try:
        for folder in journal.new_folders:
            (project / folder).mkdir(exist_ok=True)
        for index, step in enumerate(journal.steps):
            _follow(project, index, step)
        _sync(project, journal)
        done = True
    finally:
        # Only this process dying leaves the journal for the next command.
        if not done:
            _take_back(project, journal)
    _forget(project, journal)


def _follow(project: Path, index: int, step: _Step) -> None:
    staged = project / STATE_FOLDER / _STAGED
    if _is_done(staged, index, step):
        return
    if _now(project, step.path) != step.before:
        message = f"error: `{step.path}` changed during the compile"
        raise Unsettled((message, "nothing was written", "hint: compile again"))
    if step.after is None:
        (project / step.path).replace(staged / f"old-{index}")
    else:
        (staged / f"new-{index}").replace(project / step.path)


def _take_back(project: Path, journal: _Journal) -> None:
    state = project / STATE_FOLDER
    staged = state / _STAGED
    journal.back = True
    _save(state, journal)
    for index, step in reversed(list(enumerate(journal.steps))):
        # What its owner wrote there since stays; so does what was never reached.
        if not _is_done(staged, index, step) or _now(project, step.path) != step.after:
            continue
        if step.before is None:
            (project / step.path).unlink()
        elif (staged / f"old-{index}").exists():
            (staged / f"old-{index}").replace(project / step.path)
    _sync(project, journal)
    for folder in reversed(journal.new_folders):
        with contextlib.suppress(OSError):
            (project / folder).rmdir()
    (state / _JOURNAL).unlink()
    _discard(state)


def _forget(project: Path, journal: _Journal) -> None:
    state = project / STATE_FOLDER
    for step in journal.steps:
        if step.after is None:
            _remove_empty_folders(project, step.path)
    (state / _JOURNAL).unlink()
    sync_folder(state)
    _discard(state)


def _can_follow(project: Path, index: int, step: _Step) -> bool:
    staged = project / STATE_FOLDER / _STAGED
    return _is_done(staged, index, step) or _now(project, step.path) == step.before


def _is_done(staged: Path, index: int, step: _Step) -> bool:
    if step.after is None:
        return (staged / f"old-{index}").exists()
    return not (staged / f"new-{index}").exists()


def _now(project: Path, path: str) -> str | None:
    found = look(project, path)
    return found.reason if isinstance(found, Obstacle) else _digest(found)


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def _missing_folders(project: Path, steps: list[_Step]) -> list[str]:
    folders = {
        up.as_posix()
        for step in steps
        if step.after is not None
        for up in PurePosixPath(step.path).parents
    }
    return sorted(folder for folder in folders if not (project / folder).exists())


def _remove_empty_folders(project: Path, path: str) -> None:
    for up in list(PurePosixPath(path).parents)[:-1]:
        # A folder that still holds something refuses, and so do those above it.
        with contextlib.suppress(OSError):
            (project / up).rmdir()


def _sync(project: Path, journal: _Journal) -> None:
    folders = {(project / step.path).parent for step in journal.steps}
    for folder in sorted(folders):
        if folder.is_dir():
            sync_folder(folder)


def _save(state: Path, journal: _Journal) -> None:
    fresh = state / f"{_JOURNAL}.new"
    write_synced(fresh, json.dumps(asdict(journal)).encode())
    fresh.replace(state / _JOURNAL)
    sync_folder(state)


def _load(state: Path) -> _Journal:
    try:
        record = json.loads((state / _JOURNAL).read_bytes())
        steps = [_Step(**step) for step in record["steps"]]
        return _Journal(steps, record["new_folders"], record["back"])
    except (ValueError, KeyError, TypeError) as error:
        message = f"`{STATE_FOLDER}/{_JOURNAL}` cannot be read"
        raise damaged(message) from error


def _discard(state: Path) -> None:
    (state / f"{_JOURNAL}.new").unlink(missing_ok=True)
    if (state / _STAGED).is_dir():
        shutil.rmtree(state / _STAGED)
