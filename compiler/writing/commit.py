"""Changes many paths of a folder as one step: staged, journalled, renamed; mended after a kill."""

import contextlib
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from compiler.changes import Move
from compiler.unsettled import Unsettled
from compiler.writing.journal import (
    MovedFolder,
    Record,
    Step,
    close_record,
    digest,
    digest_now,
    discard_staged,
    has_moved,
    is_broken_off,
    load_running,
    save_record,
    staged_folder,
    undo_folder,
)
from compiler.writing.syncing import sync_folder, write_synced

__all__ = ["commit", "recover"]


def commit(
    project: Path,
    writes: Mapping[str, bytes | None],
    seen: Mapping[str, bytes | None],
    moves: Sequence[Move] = (),
    *,
    modes: Mapping[str, int] = MappingProxyType({}),
    can_be_undone: bool = True,
) -> None:
    """Make each path hold its new bytes, or be gone where they are None: all of them or none.

    `seen` is what each path held when the decision was taken; a path that holds something else by
    now ends it with `Unsettled`. `modes` are the permissions of paths that are not there yet, where
    they are not those of a new file. A run that takes another back cannot itself be undone.
    """
    changed = [path for path in sorted(writes) if writes[path] != seen[path]]
    # What is removed makes room for what is written.
    changed.sort(key=lambda path: writes[path] is not None)
    steps = tuple(Step(path, digest(seen[path]), digest(writes[path])) for path in changed)
    if not steps and not moves:
        return
    folders = tuple(MovedFolder(*move, (project / move.old).lstat().st_ino) for move in moves)
    record = Record(steps, folders, _missing_folders(project, steps, moves), can_be_undone)
    begun = False
    try:
        _stage(project, record, writes, seen, modes)
        save_record(project, record)
        begun = True
    finally:
        if not begun:
            discard_staged(project)
    _run(project, record)


def recover(project: Path) -> str | None:
    """Finish a run that was broken off, or take it back; say which, None where there is none."""
    if not is_broken_off(project):
        discard_staged(project)
        return None
    record = load_running(project)
    if record.back or not _can_go_on(project, record):
        _take_back(project, record)
        return "taken back"
    _run(project, record)
    return "finished"


def _stage(
    project: Path,
    record: Record,
    writes: Mapping[str, bytes | None],
    seen: Mapping[str, bytes | None],
    modes: Mapping[str, int],
) -> None:
    staged = staged_folder(project)
    staged.mkdir()
    # Becomes that of `undo/`, which is no part of the project that its owner shares.
    write_synced(staged / ".gitignore", b"*\n")
    for index, step in enumerate(record.steps):
        new, old = writes[step.path], seen[step.path]
        if new is None:
            continue
        write_synced(staged / f"new-{index}", new, executable=step.path.endswith(".sh"))
        mode = modes.get(step.path)
        if old is not None:
            write_synced(staged / f"old-{index}", old)
            mode = (project / step.path).stat().st_mode
            (staged / f"old-{index}").chmod(mode)
        if mode is not None:
            (staged / f"new-{index}").chmod(mode)
    sync_folder(staged)


def _run(project: Path, record: Record) -> None:
    done = False
    try:
        _follow(project, record)
        done = True
    finally:
        # Only this process dying leaves the journal for the next command.
        if not done:
            _take_back(project, record)
    if not record.can_be_undone and undo_folder(project).is_dir():
        shutil.rmtree(undo_folder(project))
    close_record(project, keep=record.can_be_undone)


def _follow(project: Path, record: Record) -> None:
    staged = staged_folder(project)
    removals, writes = _halves(record)
    for index, step in removals:
        if not _is_done(staged, index, step):
            _look_again(project, step)
            (project / step.path).replace(staged / f"old-{index}")
    _remove_empty_folders(project, record)
    for folder in record.new_folders:
        (project / folder).mkdir(exist_ok=True)
    for index, step in writes:
        if not _is_done(staged, index, step):
            _look_again(project, step)
            (staged / f"new-{index}").replace(project / step.path)
    for move in record.moves:
        if not has_moved(project, move):
            if has_moved(project, move) is None or os.path.lexists(project / move.new):
                raise _changed(move.old)
            (project / move.old).rename(project / move.new)
    _sync(project, record)


def _take_back(project: Path, record: Record) -> None:
    staged = staged_folder(project)
    save_record(project, record._replace(back=True))
    for move in reversed(record.moves):
        if has_moved(project, move) and not os.path.lexists(project / move.old):
            (project / move.new).rename(project / move.old)
    removals, writes = _halves(record)
    for index, step in reversed(writes):
        # What its owner wrote there since stays; so does what was never reached.
        if not _is_done(staged, index, step) or digest_now(project, step.path) != step.after:
            continue
        if step.before is None:
            (project / step.path).unlink()
        elif (staged / f"old-{index}").exists():
            (staged / f"old-{index}").replace(project / step.path)
    _remove_folders(project, record.new_folders)
    for index, step in reversed(removals):
        if _is_done(staged, index, step) and digest_now(project, step.path) is None:
            (project / step.path).parent.mkdir(parents=True, exist_ok=True)
            (staged / f"old-{index}").replace(project / step.path)
    _sync(project, record)
    close_record(project, keep=False)


def _halves(record: Record) -> tuple[list[tuple[int, Step]], list[tuple[int, Step]]]:
    """Give the removals and the writes, each with its position."""
    steps = list(enumerate(record.steps))
    removals = [(index, step) for index, step in steps if step.after is None]
    return removals, [(index, step) for index, step in steps if step.after is not None]


def _look_again(project: Path, step: Step) -> None:
    if digest_now(project, step.path) != step.before:
        raise _changed(step.path)


def _changed(path: str) -> Unsettled:
    message = f"error: `{path}` changed during the compile"
    return Unsettled((message, "nothing was written", "hint: compile again"))


def _can_go_on(project: Path, record: Record) -> bool:
    staged = staged_folder(project)
    return all(
        _is_done(staged, index, step) or digest_now(project, step.path) == step.before
        for index, step in enumerate(record.steps)
    )


def _is_done(staged: Path, index: int, step: Step) -> bool:
    if step.after is None:
        return (staged / f"old-{index}").exists()
    return not (staged / f"new-{index}").exists()


def _missing_folders(
    project: Path, steps: Sequence[Step], moves: Sequence[Move]
) -> tuple[str, ...]:
    written = [step.path for step in steps if step.after is not None]
    folders = _folders_above([*written, *(move.new for move in moves)])
    return tuple(sorted(folder for folder in folders if not (project / folder).is_dir()))


def _folders_above(paths: Iterable[str]) -> set[str]:
    return {up.as_posix() for path in paths for up in PurePosixPath(path).parents}


def _remove_folders(project: Path, folders: Sequence[str]) -> None:
    for folder in reversed(folders):
        # One that holds something stays.
        with contextlib.suppress(OSError):
            (project / folder).rmdir()


def _remove_empty_folders(project: Path, record: Record) -> None:
    removals, writes = _halves(record)
    needed = _folders_above(
        [*(step.path for _, step in writes), *(move.new for move in record.moves)]
    )
    emptied = _folders_above(step.path for _, step in removals)
    _remove_folders(project, sorted(emptied - needed - {"."}))


def _sync(project: Path, record: Record) -> None:
    paths = [step.path for step in record.steps]
    paths += [name for move in record.moves for name in (move.old, move.new)]
    for folder in sorted({(project / path).parent for path in paths}):
        if folder.is_dir():
            sync_folder(folder)
