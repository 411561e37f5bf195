"""What a compile did, or why it did nothing, as lines."""

import os
import traceback

from compiler.changes import Changes
from compiler.unsettled import Locked
from compiler.version import VERSION

__all__ = ["bug_lines", "done_lines", "full_folder_lines", "machine_lines", "refusal_lines"]

_SHOWN = 20


def done_lines(where: str, changes: Changes) -> list[str]:
    """Say what was written and what was left alone."""
    counts = {
        "added": len(changes.added),
        "updated": len(changes.updated),
        "removed": len(changes.removed),
        "taken over": len(changes.taken_over),
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    lines = [f"compiled into `{where}`: {said or 'nothing to change'}"]
    lines += [
        f"kept your `{path}`: what trainspec writes there is unchanged" for path in changes.kept
    ]
    lines += [f"`{path}` was deleted by you and stays deleted" for path in changes.still_deleted]
    lines += [
        f"kept your `{path}`: the spec no longer needs it, but you edited it"
        for path in changes.abandoned
    ]
    return lines


def refusal_lines(changes: Changes) -> list[str]:
    """Say which files keep a compile from writing anything, and what to do about each kind."""
    lines = [f"error: `{path}` was edited, and its new text differs" for path in changes.edited]
    lines += [
        f"error: `{path}` is there and was not written by trainspec" for path in changes.foreign
    ]
    lines += [
        f"error: `{path}` cannot be written: {reason}"
        for path, reason in sorted(changes.blocked.items())
    ]
    lines.append("nothing was written")
    if changes.edited:
        lines.append(
            "hint: merging edits is not built in this version; copy your file elsewhere, put the "
            "text of `.trainspec/base/` in its place, compile, and bring your edit back"
        )
    if changes.foreign:
        lines.append("hint: move or rename each of these files, then compile again")
    return lines


def full_folder_lines(others: list[str], changes: Changes) -> list[str]:
    """Say what a first compile would add to a folder that holds other things."""
    lines = ["error: the folder holds more than the spec and the files it names"]
    lines += [f"  there already: `{path}`" for path in others[:_SHOWN]]
    if len(others) > _SHOWN:
        lines.append(f"  there already: {len(others) - _SHOWN} more")
    lines += [f"  would be added: `{path}`" for path in changes.added]
    lines += [f"  in the way: `{path}`" for path in [*changes.foreign, *changes.blocked]]
    lines.append("nothing was written")
    lines.append("hint: `--here` compiles into this folder, `--into DIR` into a new one")
    return lines


def machine_lines(error: Exception) -> list[str]:
    """Say what of this machine is in the way; nothing where it is not the machine."""
    match error:
        case Locked():
            return [f"error: {error}", "hint: wait for it to end, then compile again"]
        case OSError(errno=int()):
            path = f": `{os.fsdecode(error.filename)}`" if error.filename else ""
            return [f"error: {(error.strerror or str(error)).lower()}{path}"]
        case ModuleNotFoundError(name=str(name)) if not name.startswith(
            ("compiler", "spec_schema")
        ):
            return [f"error: the package `{name}` is missing", f"hint: `pip install {name}`"]
        case _:
            return []


def bug_lines(error: Exception) -> list[str]:
    """Say that the compiler failed, with all that its authors need to know."""
    told = f"compiler-bug: trainspec {VERSION} failed; the fault is ours, not your spec's"
    return ["".join(traceback.format_exception(error)).rstrip(), told]
