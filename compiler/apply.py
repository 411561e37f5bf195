"""Brings a project up to date with a compile, all or nothing; or says what that would do."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from compiler.changes import Blocked, Change, Changes, Fate
from compiler.deciding.compare import compare, has_new_markers
from compiler.deciding.faults import FindFaults, merge_faults, syntax_faults
from compiler.deciding.renames import followed_folders, followed_paths, renamed_stages
from compiler.deciding.reversal import reversed_changes
from compiler.manifest import (
    STATE_FOLDER,
    Compiled,
    Manifest,
    belongs_to,
    damaged,
    in_the_way,
    plain_text,
    read_manifest,
    refuse_no_folder,
    state_files,
)
from compiler.outcome import (
    another_spec_lines,
    blocked_lines,
    full_folder_lines,
    unrestored_lines,
    waiting_lines,
)
from compiler.unsettled import Unsettled
from compiler.writing.commit import commit, recover
from compiler.writing.disk import Obstacle, look, makes_way, twin_but_for_case
from compiler.writing.journal import is_broken_off, staged_folder
from compiler.writing.lock import LOCK, locked, refuse_while_locked

__all__ = [
    "UNCOMPILED",
    "apply",
    "manifest_of",
    "mend",
    "preview",
    "refuse_a_bad_base",
    "state_writes",
]

# The state of a project that was never compiled.
UNCOMPILED = Manifest("", "", "", {})


def apply(
    project: Path,
    compiled: Compiled,
    *,
    here: bool = False,
    restore: Sequence[str] = (),
    find_faults: FindFaults = syntax_faults,
) -> Changes:
    """Bring a project up to date with a compile and say what happened.

    `here` lets a first compile go on in a folder that holds other things; `restore` names paths, or
    folders of them, that their owner deleted and now wants back. Raises `Unsettled`, with nothing
    written, where a path still waits for its owner or cannot be written; `Locked` where another
    process writes into the project.
    """
    with locked(project):
        recover(project)
        changes, last = _planned(project, compiled, restore, find_faults, here=here)
        seen = {change.path: change.before for change in changes.entries}
        manifest = manifest_of(compiled, changes)
        abandoned, deleted = _no_longer_written(project, last, compiled, changes)
        manifest = manifest._replace(abandoned=abandoned, deleted=deleted)
        states, states_seen = state_writes(project, last, manifest, compiled)
        commit(
            project,
            {**changes.written, **states},
            {**seen, **states_seen},
            changes.moves,
            modes=_modes(project, changes),
        )
        return changes


def preview(
    project: Path,
    compiled: Compiled,
    *,
    here: bool = False,
    restore: Sequence[str] = (),
    find_faults: FindFaults = syntax_faults,
) -> Changes:
    """Say what `apply` would do, and raise what it would raise; writes nothing, not even a lock."""
    refuse_no_folder(project)
    refuse_while_locked(project)
    if is_broken_off(project):
        lines = ("error: a compile of this project was broken off", "nothing was written")
        raise Unsettled((*lines, "hint: `trainspec compile` finishes it, or takes it back"))
    return _planned(project, compiled, restore, find_faults, here=here)[0]


def mend(project: Path) -> str | None:
    """Finish or take back a compile that was broken off; say which, or None where none was."""
    state = project / STATE_FOLDER
    # A whole project may lie where nothing can be written.
    if not (state / LOCK).exists() and not staged_folder(project).exists():
        return None
    with locked(project):
        return recover(project)


def state_writes(
    project: Path, last: Manifest, manifest: Manifest, compiled: Compiled
) -> tuple[dict[str, bytes | None], dict[str, bytes | None]]:
    """Give the new bytes of each state file that changes, and what was seen there.

    A state file that is the same but for its line ends stays as it is.
    """
    before, after = state_files(last, ""), state_files(manifest, compiled.schema)
    writes: dict[str, bytes | None] = {}
    seen: dict[str, bytes | None] = {}
    for path in sorted({*before, *after}):
        found = look(project, path)
        if isinstance(found, Obstacle):
            if not makes_way(project, found.place, before.keys() - after.keys()):
                raise in_the_way(found.reason)
            found = None
        if path not in after:
            writes[path], seen[path] = None, found
        elif found is None or plain_text(found) != after[path]:
            writes[path], seen[path] = after[path].encode(), found
    return writes, seen


def _planned(
    project: Path,
    compiled: Compiled,
    restore: Sequence[str],
    find_faults: FindFaults,
    *,
    here: bool,
) -> tuple[Changes, Manifest]:
    manifest = read_manifest(project)
    last = manifest or UNCOMPILED
    if manifest is not None and not belongs_to(project, compiled.spec_name):
        raise Unsettled(another_spec_lines(last.spec_name, compiled.spec_name))
    _refuse_while_waiting(project, last)
    refuse_a_bad_base(last, compiled)
    stages = renamed_stages(last.stages, compiled.stages)
    followed = followed_paths(last.base, compiled.tree, stages)
    entries, blocked = compare(project, last, compiled, followed)
    entries = reversed_changes(project, entries, compiled.tree)
    entries = [*_restored(project, entries, restore, compiled.tree)]
    entries += _spec_entry(project, compiled)
    if manifest is None and not here:
        others = _others(project, compiled)
        if others:
            raise Unsettled(full_folder_lines(others, entries, blocked))
    if blocked:
        raise Unsettled(blocked_lines(blocked))
    moves, notes = followed_folders(project, stages)
    changes = Changes(
        entries=tuple(sorted(entries, key=lambda change: change.path)),
        stages=stages,
        moves=tuple(moves),
        notes=tuple(notes),
        faults=merge_faults(project, entries, compiled.tree, find_faults),
    )
    written = bool(changes.written or moves)
    return changes._replace(out_of_date=written or last.base != compiled.tree), last


def manifest_of(compiled: Compiled, changes: Changes) -> Manifest:
    """Give the state that a compile leaves which did these changes."""
    waiting = {Fate.CONFLICT: "markers", Fate.BESIDE: "file"}
    return Manifest(
        compiled.spec_name,
        compiled.version,
        compiled.stack,
        compiled.tree,
        {stage.name: stage.method for stage in compiled.stages},
        {change.path: waiting[change.fate] for change in changes.entries if change.fate in waiting},
        compiled.spec_text,
        compiled.house_text,
        overlay=compiled.overlay,
    )


def _no_longer_written(
    project: Path, last: Manifest, compiled: Compiled, changes: Changes
) -> tuple[dict[str, str], dict[str, str]]:
    """Give the last texts of files that are no longer written: those there, those deleted."""
    abandoned: dict[str, str] = {}
    deleted: dict[str, str] = {}
    gone = {*compiled.tree, *changes.paths(Fate.REMOVED, Fate.RENAMED)}
    for path, text in {**last.deleted, **last.abandoned, **last.base}.items():
        if path in gone:
            continue
        if look(project, path) is not None:
            abandoned[path] = text
        elif path not in last.abandoned:
            deleted[path] = text
    return abandoned, deleted


def _modes(project: Path, changes: Changes) -> dict[str, int]:
    """Give the permissions of files that come from another path."""
    return {
        change.partner: (project / change.path).stat().st_mode
        for change in changes.entries
        if change.fate is Fate.RENAMED and change.partner is not None
    }


def _refuse_while_waiting(project: Path, last: Manifest) -> None:
    waiting: dict[str, str] = {}
    for path, what in last.unsettled.items():
        found = look(project, path)
        text = plain_text(found) if isinstance(found, bytes) else None
        is_open = (
            found is not None
            if what == "file"
            else text is not None and has_new_markers(text, last.base.get(path, ""))
        )
        if is_open:
            waiting[path] = what
    if waiting:
        raise Unsettled(waiting_lines(waiting))


def refuse_a_bad_base(last: Manifest, compiled: Compiled) -> None:
    """Raise `Unsettled` where git has left conflict markers in what was written last time."""
    for path, text in last.base.items():
        if has_new_markers(text, compiled.tree.get(path, "")):
            message = f"`{STATE_FOLDER}/base/{path}` holds conflict markers"
            raise damaged(message)


def _restored(
    project: Path, entries: Sequence[Change], restore: Sequence[str], tree: Mapping[str, str]
) -> list[Change]:
    """Bring back what was deleted at these paths or below them."""
    wanted = [PurePosixPath(path) for path in restore]
    found: set[PurePosixPath] = set()
    changes: list[Change] = []
    for change in entries:
        path = PurePosixPath(change.path)
        asked = [each for each in wanted if path == each or path.is_relative_to(each)]
        if change.fate is Fate.DELETED and asked:
            found.update(asked)
            twin = twin_but_for_case(project, change.path)
            if twin is not None:
                blocked = Blocked(change.path, f"`{twin}` differs from it only in case")
                raise Unsettled(blocked_lines([blocked]))
            back = Change(change.path, Fate.RESTORED, None, tree[change.path].encode())
            changes.append(back)
        else:
            changes.append(change)
    lost = [str(path) for path in wanted if path not in found]
    if lost:
        raise Unsettled(unrestored_lines(lost))
    return changes


def _spec_entry(project: Path, compiled: Compiled) -> list[Change]:
    """Give the change of the spec itself, which only an upgrade makes."""
    if compiled.new_spec is None:
        return []
    found = look(project, compiled.spec_name)
    if not isinstance(found, bytes):
        reason = "it is gone" if found is None else found.reason
        raise Unsettled(blocked_lines([Blocked(compiled.spec_name, reason)]))
    change = Change(compiled.spec_name, Fate.UPDATED, found, compiled.new_spec)
    return [change] if change.is_written else []


def _others(project: Path, compiled: Compiled) -> list[str]:
    named = {PurePosixPath(name) for name in (compiled.spec_name, *compiled.named_files)}
    named |= {PurePosixPath(name) for name in compiled.models}
    others: list[str] = []
    for folder, folders, files in os.walk(project):
        here = PurePosixPath(Path(folder).relative_to(project).as_posix())
        if here == PurePosixPath():
            folders[:] = [name for name in folders if name not in {".git", STATE_FOLDER}]
            # A worktree and a submodule have a file of that name.
            named.add(PurePosixPath(".git"))
        others += [str(here / name) for name in files if here / name not in named]
        holding = {up for name in named for up in name.parents}
        others += [f"{here / name}/" for name in folders if here / name not in named | holding]
        folders[:] = [name for name in folders if here / name in holding]
    return sorted(others)
