"""Makes a new project in a folder of its own, which appears by one rename."""

import errno
import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from compiler.apply import UNCOMPILED, manifest_of, state_writes
from compiler.changes import Blocked, Changes, Fate
from compiler.deciding.compare import compare
from compiler.manifest import Compiled
from compiler.outcome import blocked_lines
from compiler.unsettled import Unsettled
from compiler.writing.syncing import sync_folder, write_synced

__all__ = ["apply_into", "refuse_used"]


def apply_into(
    folder: Path, target: Path, texts: Mapping[str, bytes], compiled: Compiled
) -> Changes:
    """Make a new project at `target`: `texts`, the files of `folder` that the spec names, the tree.

    `texts` are the spec and what else goes with it, by their paths in the new project. Raises
    `Unsettled`, with nothing written, where something stands in its place.
    """
    target = Path(os.path.realpath(target))
    refuse_used(target)
    _refuse_to_copy_into_itself(folder, target, compiled)
    building = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        building.mkdir()
        changes = _build(folder, building, texts, compiled)
        _appear(building, target)
    except OSError as error:
        # The folder that its user has named, not one that they never see.
        error.filename = str(error.filename or target).replace(str(building), str(target))
        raise
    finally:
        # After the rename there is nothing of that name.
        shutil.rmtree(building, ignore_errors=True)
    return changes


def refuse_used(target: Path) -> None:
    """Raise `Unsettled` where `target` is anything but an empty folder or not there."""
    if target.exists() and not target.is_dir():
        reason = f"`{target}` is not a folder"
        raise _used(reason)
    if target.is_dir() and any(target.iterdir()):
        reason = f"`{target}` is not empty"
        raise _used(reason)


def _refuse_to_copy_into_itself(folder: Path, target: Path, compiled: Compiled) -> None:
    for name in compiled.named_files:
        if target.is_relative_to(os.path.realpath(folder / name)):
            reason = f"`{target}` lies in `{name}`, which the spec names and which is copied"
            raise _used(reason)


def _used(reason: str) -> Unsettled:
    return Unsettled((f"error: {reason}", "nothing was written", "hint: name a new folder"))


def _build(folder: Path, building: Path, texts: Mapping[str, bytes], compiled: Compiled) -> Changes:
    for name in compiled.named_files:
        _copy(folder / name, building / name)
    for name, data in texts.items():
        (building / name).parent.mkdir(parents=True, exist_ok=True)
        write_synced(building / name, data)
    entries, blocked = compare(building, UNCOMPILED, compiled, {})
    both = [
        Blocked(each.path, "the spec names a file of this name")
        for each in entries
        if each.fate is Fate.FOREIGN
    ]
    if blocked or both:
        raise Unsettled(blocked_lines([*blocked, *both]))
    changes = Changes(tuple(entries), out_of_date=True)
    states, _ = state_writes(building, UNCOMPILED, manifest_of(compiled, changes), compiled)
    for path, data in {**changes.written, **states}.items():
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
