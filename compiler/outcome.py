"""What a compile did, or why it did nothing, as lines."""

import os
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

from compiler.changes import Blocked, Change, Changes, Fate
from compiler.manifest import STATE_FOLDER
from compiler.unsettled import Locked, Unreachable
from compiler.version import VERSION

__all__ = [
    "adopted_lines",
    "another_spec_lines",
    "blocked_lines",
    "bug_lines",
    "done_lines",
    "fate_lines",
    "full_folder_lines",
    "machine_lines",
    "undone_lines",
    "unrestored_lines",
    "waiting_lines",
]

_SHOWN = 20
# What the first line of a report counts, in this order and in these words.
_COUNTED = {
    Fate.NEW: "new",
    Fate.UPDATED: "updated",
    Fate.MERGED: "merged",
    Fate.CONFLICT: "in conflict",
    Fate.RESTORED: "restored",
    Fate.REMOVED: "removed",
    Fate.RENAMED: "renamed",
    Fate.TAKEN_OVER: "taken over",
    Fate.BESIDE: "beside yours",
}
_SAID = {
    Fate.KEPT: "kept your `{path}`: what trainspec writes there is unchanged",
    Fate.MERGED: "merged `{path}`: your edits and the new text",
    Fate.RENAMED: "`{path}` is now `{partner}`",
    Fate.DELETED: "`{path}` was deleted by you and stays deleted",
    Fate.ABANDONED: "kept your `{path}`: the spec no longer needs it, but you edited it",
    Fate.CONFLICT: "conflict in `{path}`: you and the spec changed the same lines",
    Fate.FOREIGN: "kept your `{path}`, which cannot be merged: its new text is `{partner}`",
}


def done_lines(where: str, changes: Changes) -> list[str]:
    """Say what was written, what was left alone, and what its owner must settle now."""
    counts = {word: len(changes.paths(fate)) for fate, word in _COUNTED.items()}
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    lines = [f"compiled into `{where}`: {said or 'nothing to change'}"]
    lines += [f"stage `{old}` is now `{new}`" for old, new in sorted(changes.stages.items())]
    lines += [f"moved `{move.old}` to `{move.new}`" for move in changes.moves]
    lines += [f"note: {note}" for note in changes.notes]
    lines += fate_lines(changes)
    return lines + _settle_lines(changes)


def fate_lines(changes: Changes) -> list[str]:
    """Say of each path what became of it, where more happened than that it was written."""
    return [
        _SAID[change.fate].format(path=change.path, partner=change.partner)
        + (f"; {change.note}" if change.note else "")
        for change in changes.entries
        if change.fate in _SAID
    ]


def _settle_lines(changes: Changes) -> list[str]:
    lines = [
        f"error: `{fault.path}`, line {fault.line}: {fault.message}, though neither yours nor the "
        "new text has that fault"
        for fault in changes.faults
    ]
    if changes.faults:
        lines.append("hint: mend this by hand; `trainspec lint` shows what is left of it")
    if changes.paths(Fate.CONFLICT):
        lines.append(
            "hint: choose between the lines that the markers `<<<<<<<` and `>>>>>>>` enclose, and "
            "delete the markers; until then, a compile writes nothing"
        )
    if changes.paths(Fate.BESIDE):
        lines.append(
            "hint: take what you want of each `.new` file into yours and delete it; until then, a "
            "compile writes nothing"
        )
    return lines


def undone_lines(changes: Changes) -> list[str]:
    """Say what the taking back of a compile has written."""
    back = len(changes.entries)
    lines = [f"took the last compile back: {back} file{'s' * (back != 1)} as before it"]
    return lines + [f"moved `{move.old}` back to `{move.new}`" for move in changes.moves]


def adopted_lines(where: str, changes: Changes) -> list[str]:
    """Say what a rebuilt state takes for granted, since nothing on the disk can tell."""
    lines = [f"rebuilt `{STATE_FOLDER}/` of `{where}`; no other file was changed"]
    lines += [f"note: {note}" for note in changes.notes]
    lines += [
        f"`{path}` differs from what was written last time: taken for edited by you"
        for path in changes.paths(Fate.KEPT)
    ]
    lines += [
        f"`{path}` is not there: taken for deleted by you" for path in changes.paths(Fate.DELETED)
    ]
    if changes.paths(Fate.KEPT):
        lines.append(
            "note: whether an older spec or trainspec wrote a differing text cannot be known; to "
            "have such a file written anew, delete it and compile with `--restore PATH`"
        )
    lines.append(
        "note: which files an earlier compile wrote that are no longer written cannot be known "
        "either; they stay"
    )
    return lines


def waiting_lines(waiting: Mapping[str, str]) -> list[str]:
    """Say which paths wait for their owner, `markers` or `file`, before a compile goes on."""
    lines = [
        f"error: `{path}` is not settled: "
        + ("it holds conflict markers" if what == "markers" else "it is there still")
        for path, what in sorted(waiting.items())
    ]
    hints = {
        "markers": "choose between the lines that the markers enclose, and delete the markers",
        "file": "take what you want of the `.new` file into yours, and delete it",
    }
    lines.append("nothing was written")
    return lines + [f"hint: {text}" for what, text in hints.items() if what in waiting.values()]


def blocked_lines(blocked: Sequence[Blocked]) -> list[str]:
    """Say which paths keep a compile from writing anything, and why."""
    lines = [f"error: {each}" for each in blocked]
    return [*lines, "nothing was written", "hint: settle each of these, then compile again"]


def another_spec_lines(recorded: str, named: str) -> list[str]:
    """Say that the project of the folder is that of another spec than was named."""
    return [
        f"error: this folder is the project of `{recorded}`, and not of `{named}`",
        "nothing was written",
        f"hint: give `{named}` a project of its own with `--into DIR`",
    ]


def unrestored_lines(paths: Sequence[str]) -> list[str]:
    """Say which paths of `--restore` are no files that their owner has deleted."""
    lines = [f"error: `{path}` is no written file that you deleted" for path in paths]
    hint = "hint: paths are those of the report, relative to the project"
    return [*lines, "nothing was written", hint]


def full_folder_lines(
    others: Sequence[str], changes: Sequence[Change], blocked: Sequence[Blocked]
) -> list[str]:
    """Say what a first compile would add to a folder that holds other things."""
    lines = ["error: the folder holds more than the spec and the files it names"]
    lines += [f"  there already: `{path}`" for path in others[:_SHOWN]]
    if len(others) > _SHOWN:
        lines.append(f"  there already: {len(others) - _SHOWN} more")
    added = (Fate.NEW, Fate.BESIDE)
    lines += [f"  would be added: `{change.path}`" for change in changes if change.fate in added]
    lines += [f"  in the way: {each.reason}" for each in blocked]
    lines.append("nothing was written")
    lines.append("hint: `--here` compiles into this folder, `--into DIR` into a new one")
    if any(change.fate in (Fate.TAKEN_OVER, Fate.FOREIGN) for change in changes):
        hint = f"hint: if this is a project that has lost its `{STATE_FOLDER}/`"
        lines.append(f"{hint}, `trainspec adopt` rebuilds it")
    return lines


def machine_lines(error: Exception) -> list[str]:
    """Say what of this machine is in the way; nothing where it is not the machine."""
    match error:
        case Locked():
            return [f"error: {error}", "hint: wait for it to end, then compile again"]
        case Unreachable():
            hint = "hint: once a compile has fetched it, later ones take it from the cache"
            return [f"error: {error}", hint]
        case OSError(errno=int()):
            return [f"error: {(error.strerror or str(error)).lower()}{_place_of(error)}"]
        case ModuleNotFoundError(name=str(name)) if not name.startswith(
            ("compiler", "spec_schema")
        ):
            return [f"error: the package `{name}` is missing", f"hint: `pip install {name}`"]
        case _:
            return []


def _place_of(error: OSError) -> str:
    """Name the file of an error; of a rename the end that is not in the folder of staged texts."""
    names = [os.fsdecode(name) for name in (error.filename, error.filename2) if name]
    staged = f"{STATE_FOLDER}/staged/"
    names.sort(key=lambda name: staged in Path(name).as_posix())
    return f": `{names[0]}`" if names else ""


def bug_lines(error: Exception) -> list[str]:
    """Say that the compiler failed, with all that its authors need to know."""
    told = f"compiler-bug: trainspec {VERSION} failed; the fault is ours, not your spec's"
    return ["".join(traceback.format_exception(error)).rstrip(), told]
