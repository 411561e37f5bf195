"""Puts a compiled tree into a project's folder, all or nothing."""

import errno
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from compiler.changes import Changes, Obstacle, compare, look
from compiler.journal import commit, recover, sync_folder, write_synced
from compiler.lock import locked
from compiler.manifest import (
    STATE_FOLDER,
    Compiled,
    Manifest,
    belongs_to,
    plain_text,
    read_manifest,
    state_files,
)
from compiler.outcome import full_folder_lines, refusal_lines
from compiler.unsettled import Unsettled

__all__ = ["apply", "apply_into", "mend"]


def apply(project: Path, compiled: Compiled, *, here: bool) -> Changes:
    """Bring a project up to date with a compile and say what happened.

    Raises `Unsettled`, with nothing written, where that would cost something its user has there.
    """
    with locked(project):
        recover(project)
        manifest = read_manifest(project)
        base: Mapping[str, str] = {} if manifest is None else manifest.base
        if manifest is not None and not belongs_to(project, compiled.spec_name):
            raise _of_another_spec(manifest.spec_name, compiled.spec_name)
        changes = compare(project, base, compiled.tree)
        if manifest is None and not here:
            others = _others(project, compiled)
            if others:
                raise Unsettled(full_folder_lines(others, changes))
        writes = _writes(project, base, compiled, changes)
        if changes.refused:
            raise Unsettled(refusal_lines(changes))
        commit(project, writes, changes.seen)
        return changes


def mend(project: Path) -> str | None:
    """Finish or take back a compile that was broken off; say which, or None where none was."""
    if not (project / STATE_FOLDER).is_dir():
        return None
    with locked(project):
        return recover(project)


def apply_into(folder: Path, target: Path, spec: bytes, compiled: Compiled) -> Changes:
    """Make a new project at `target`, with the spec and the files it names, by one rename.

    Raises `Unsettled`, with nothing written, where something stands in its place.
    """
    target = Path(os.path.realpath(target))
    _refuse_a_used_target(folder, target, compiled)
    target.parent.mkdir(parents=True, exist_ok=True)
    building = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    building.mkdir()
    try:
        changes = _build(folder, building, spec, compiled)
        _appear(building, target)
    finally:
        # After the rename there is nothing of that name.
        shutil.rmtree(building, ignore_errors=True)
    return changes


def _others(project: Path, compiled: Compiled) -> list[str]:
    named = {PurePosixPath(name) for name in (compiled.spec_name, *compiled.named_files)}
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


def _writes(
    project: Path, base: Mapping[str, str], compiled: Compiled, changes: Changes
) -> dict[str, bytes | None]:
    """Give the new bytes of each path, state included; what was seen there goes into `changes`."""
    writes: dict[str, bytes | None] = {
        path: text.encode() for path, text in {**changes.added, **changes.updated}.items()
    }
    writes |= dict.fromkeys(changes.removed)
    before = state_files(Manifest("", "", "", base), "")
    manifest = Manifest(compiled.spec_name, compiled.version, compiled.stack, compiled.tree)
    after = state_files(manifest, compiled.schema)
    for path in sorted({*before, *after}):
        found = look(project, path)
        if isinstance(found, Obstacle):
            changes.blocked[path] = found.reason
        elif path not in after:
            writes[path], changes.seen[path] = None, found
        elif found is None or plain_text(found) != after[path]:
            writes[path], changes.seen[path] = after[path].encode(), found
    return writes


def _refuse_a_used_target(folder: Path, target: Path, compiled: Compiled) -> None:
    if target.exists() and not target.is_dir():
        reason = f"`{target}` is not a folder"
        raise _used(reason)
    if target.is_dir() and any(target.iterdir()):
        reason = f"`{target}` is not empty"
        raise _used(reason)
    for name in compiled.named_files:
        if target.is_relative_to(os.path.realpath(folder / name)):
            reason = f"`{target}` lies in `{name}`, which the spec names and which is copied"
            raise _used(reason)


def _of_another_spec(recorded: str, named: str) -> Unsettled:
    return Unsettled(
        (
            f"error: this folder is the project of `{recorded}`, and not of `{named}`",
            "nothing was written",
            f"hint: give `{named}` a project of its own with `--into DIR`",
        )
    )


def _used(reason: str) -> Unsettled:
    return Unsettled((f"error: {reason}", "nothing was written", "hint: name a new folder"))


def _build(folder: Path, building: Path, spec: bytes, compiled: Compiled) -> Changes:
    for name in compiled.named_files:
        _copy(folder / name, building / name)
    write_synced(building / compiled.spec_name, spec)
    changes = compare(building, {}, compiled.tree)
    writes = _writes(building, {}, compiled, changes)
    if changes.refused:
        raise Unsettled(refusal_lines(changes))
    for path, data in writes.items():
        place = building / path
        if data is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_synced(place, data, executable=place.suffix == ".sh")
    return changes


def _copy(source: Path, copy: Path) -> None:
    if not source.exists():
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, copy, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, copy)


def _appear(building: Path, target: Path) -> None:
    try:
        building.replace(target)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}:
            raise
        reason = f"`{target}` was made by someone else in the meantime"
        raise _used(reason) from error
    sync_folder(target.parent)
