"""Rebuilds the state of a project whose `.trainspec/` was lost or damaged."""

from collections.abc import Mapping
from pathlib import Path

from compiler.apply import UNCOMPILED, manifest_of, refuse_a_bad_base, state_writes
from compiler.changes import Changes
from compiler.deciding.compare import compare, has_new_markers
from compiler.manifest import (
    Compiled,
    plain_text,
    read_manifest,
    salvaged_base,
    salvaged_unsettled,
)
from compiler.unsettled import NewerState, Unsettled
from compiler.writing.commit import commit, recover
from compiler.writing.disk import look
from compiler.writing.journal import set_aside_staged
from compiler.writing.lock import locked

__all__ = ["adopt"]


def adopt(project: Path, compiled: Compiled) -> Changes:
    """Write the state that a compile of the spec would have left, and nothing else.

    What was written last time is taken from what is left of the state, and where nothing is from
    this compile: a file that differs from it counts as edited by its owner, one that is missing as
    deleted by them. The result says so of each, for whether it is true cannot be known. Raises
    `Unsettled` where the state is whole, or where there is no project.
    """
    with locked(project):
        aside = set_aside_staged(project)
        recover(project)
        if aside is None:
            _refuse_a_whole_state(project, compiled)
        left, left_waiting = salvaged_base(project), salvaged_unsettled(project)
        base = {**compiled.tree, **_usable(left, compiled)}
        recorded = {path: text.strip() for path, text in left_waiting.items() if text}
        waiting = _waiting(project, compiled) | recorded
        last = UNCOMPILED._replace(base=base)
        entries, _ = compare(project, last, compiled._replace(tree=base), {})
        changes = Changes(tuple(entries), notes=(aside,) if aside else ())
        manifest = manifest_of(compiled, changes)._replace(base=base, unsettled=waiting)
        # All that is there, so that what cannot be read is replaced or removed.
        there = UNCOMPILED._replace(
            base=dict.fromkeys(left, ""), unsettled=dict.fromkeys(left_waiting, "")
        )
        writes, seen = state_writes(project, there, manifest, compiled)
        commit(project, writes, seen, can_be_undone=False)
        return changes


def _refuse_a_whole_state(project: Path, compiled: Compiled) -> None:
    try:
        manifest = read_manifest(project)
        if manifest is not None:
            refuse_a_bad_base(manifest, compiled)
    except NewerState:
        raise
    except Unsettled:
        return
    if manifest is not None:
        lines = ("error: the state of this project is whole", "nothing was written")
        raise Unsettled((*lines, "hint: compile it with `trainspec compile`"))
    if all(look(project, path) is None for path in compiled.tree):
        lines = ("error: there is no compiled project in this folder", "nothing was written")
        raise Unsettled((*lines, "hint: compile one with `trainspec compile`"))


def _usable(left: Mapping[str, str | None], compiled: Compiled) -> dict[str, str]:
    return {
        path: text
        for path, text in left.items()
        if text is not None and not has_new_markers(text, compiled.tree.get(path, ""))
    }


def _waiting(project: Path, compiled: Compiled) -> dict[str, str]:
    """Name what a lost record would: conflicts in the files, and texts beside them."""
    waiting: dict[str, str] = {}
    for path, new in compiled.tree.items():
        here, beside = look(project, path), look(project, f"{path}.new")
        text = plain_text(here) if isinstance(here, bytes) else None
        if text is not None and has_new_markers(text, new):
            waiting[path] = "markers"
        if isinstance(beside, bytes) and plain_text(beside) == new:
            waiting[f"{path}.new"] = "file"
    return waiting
