"""Takes the last compile of a project back."""

from collections.abc import Collection, Mapping
from pathlib import Path

from compiler.changes import Change, Changes, Fate, Move
from compiler.manifest import STATE_FOLDER, belongs_to, damaged, read_manifest
from compiler.outcome import another_spec_lines
from compiler.unsettled import Unsettled
from compiler.writing.commit import commit, recover
from compiler.writing.disk import Obstacle, Sight, look, makes_way
from compiler.writing.journal import (
    Record,
    digest,
    has_moved,
    load_undo,
    undo_folder,
)
from compiler.writing.lock import locked

__all__ = ["undo"]


def undo(project: Path, spec_name: str) -> Changes:
    """Give every path that the last compile wrote the bytes that it had before, and say which.

    `spec_name` is the spec whose compile is meant; that of another one is not taken back.
    Raises `Unsettled`, with nothing written, where one of them has changed since, or where no
    compile can be taken back: none was, or the last one was already. Compiles that changed nothing
    do not count.
    """
    if not project.is_dir():
        raise Unsettled((f"error: there is no folder `{project}`", "nothing was written"))
    with locked(project):
        recover(project)
        last = read_manifest(project)
        if last is not None and not belongs_to(project, spec_name):
            raise Unsettled(another_spec_lines(last.spec_name, spec_name))
        record = load_undo(project)
        if record is None:
            lines = ("error: there is no compile to take back", "nothing was written")
            raise Unsettled((*lines, "hint: only the last one can be, and only once"))
        written = {step.path for step in record.steps if step.after is not None}
        seen = {step.path: _sight(project, step.path, written) for step in record.steps}
        seen = _unchanged(project, record, seen)
        old = _old_bytes(project, record)
        folder = undo_folder(project)
        modes = {
            step.path: (folder / f"old-{index}").stat().st_mode
            for index, step in enumerate(record.steps)
            if step.before is not None
        }
        moves = [Move(move.new, move.old) for move in reversed(record.moves)]
        commit(project, old, seen, moves, modes=modes, can_be_undone=False)
        entries = tuple(
            Change(path, _fate(seen[path], old[path]), seen[path], old[path])
            for path in sorted(old)
            if not path.startswith(f"{STATE_FOLDER}/")
        )
        return Changes(entries, moves=tuple(moves))


def _unchanged(project: Path, record: Record, seen: Mapping[str, Sight]) -> dict[str, bytes | None]:
    """Give back what was seen, where that is what the last compile left."""
    found: dict[str, bytes | None] = {}
    changed: list[str] = []
    for step in record.steps:
        match seen[step.path]:
            case Obstacle():
                changed.append(step.path)
            case data:
                found[step.path] = data
                changed += [step.path] if digest(data) != step.after else []
    changed += [move.new for move in record.moves if not has_moved(project, move)]
    changed += [move.old for move in record.moves if (project / move.old).exists()]
    if changed:
        lines = [f"error: `{path}` has changed since the last compile" for path in changed]
        hint = "hint: taking the compile back would lose that; undo your change first, or keep both"
        raise Unsettled((*lines, "nothing was written", hint))
    return found


def _old_bytes(project: Path, record: Record) -> dict[str, bytes | None]:
    old: dict[str, bytes | None] = {}
    for index, step in enumerate(record.steps):
        place = undo_folder(project) / f"old-{index}"
        old[step.path] = place.read_bytes() if place.is_file() else None
        if digest(old[step.path]) != step.before:
            message = f"`{STATE_FOLDER}/{place.parent.name}/{place.name}` is not what was kept"
            raise damaged(message)
    return old


def _sight(project: Path, path: str, written: Collection[str]) -> Sight:
    found = look(project, path)
    # A file that became a folder, or the other way round, is out of the way once that is undone.
    out_of_the_way = isinstance(found, Obstacle) and makes_way(project, found.place, written)
    return None if out_of_the_way else found


def _fate(before: bytes | None, after: bytes | None) -> Fate:
    if before is None:
        return Fate.RESTORED
    return Fate.REMOVED if after is None else Fate.UPDATED
