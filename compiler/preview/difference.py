"""What a compile would change, for people and for programs: by cause, and file by file."""

import difflib
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from compiler.changes import Change, Changes, Fate
from compiler.manifest import Compiled, Manifest, read_manifest
from compiler.parse import Document
from compiler.pipeline import Resolved
from compiler.preview.causes import ABSENT, Cause, ValueChange, causes_of
from compiler.toml_duplicates import written_key

__all__ = [
    "Difference",
    "difference_json",
    "difference_lines",
    "difference_of",
    "differences_lines",
]

_JSON_VERSION = 1
_LONGEST = 60
_SHORT_COMMIT = 12
# Where the other end of a path is one that it goes to, not comes from. The line of a file beside
# another one follows that of the other, which names it.
_ARROWS = {Fate.RENAMED: "->", Fate.FOREIGN: "->", Fate.BESIDE: ""}


class Difference(NamedTuple):
    """One project: its spec, what a compile would change, and why; `last` is None at the first."""

    document: Document
    compiled: Compiled
    last: Manifest | None
    changes: Changes
    causes: tuple[Cause, ...]


def difference_of(resolved: Resolved, compiled: Compiled, changes: Changes) -> Difference:
    """Find out why a compile would make these changes; nothing is written."""
    last = read_manifest(resolved.project)
    changed = last is not None and last.base != compiled.tree
    causes = causes_of(last, resolved, compiled) if last is not None and changed else ()
    return Difference(resolved.checked.document, compiled, last, changes, causes)


def difference_lines(difference: Difference, *, whole: bool) -> Iterator[str]:
    """Say what would change by cause, then path by path; with `whole` the changed lines too.

    The lines of a file are a unified diff, which `git apply` and `patch` read.
    """
    for cause in difference.causes:
        yield from _cause_lines(difference, cause)
    changes = difference.changes
    yield from (f"moved {move.old} -> {move.new}" for move in changes.moves)
    for change in changes.entries:
        yield _entry_line(change)
        if whole:
            yield from _unified(change)
    for fault in changes.faults:
        yield f"fault {fault.path}:{fault.line}: {fault.message}"
    yield from (f"note: {note}" for note in changes.notes)


def differences_lines(differences: Iterable[Difference], *, whole: bool) -> Iterator[str]:
    """Say what would change in each of several projects, under the name of its spec."""
    for difference in differences:
        yield f"# {difference.document.source.name}"
        yield from [*difference_lines(difference, whole=whole)] or ["nothing to change"]
        yield ""


def difference_json(differences: Iterable[Difference]) -> str:
    """Give what would change as one JSON object under a version, a record for each project."""
    projects = [_project_record(difference) for difference in differences]
    return json.dumps({"version": _JSON_VERSION, "projects": projects}, indent=2) + "\n"


def _entry_line(change: Change) -> str:
    arrow = _ARROWS.get(change.fate, "<-")
    partner = f" {arrow} {change.partner}" if change.partner and arrow else ""
    note = f" ({change.note})" if change.note else ""
    return f"{change.fate} {change.path}{partner}{note}"


def _cause_lines(difference: Difference, cause: Cause) -> Iterator[str]:
    if cause.kind == "spec":
        for change in cause.changes:
            yield f"{_where(difference.document, change)}: {_change_text(change)}"
    elif cause.kind == "upgrade":
        yield ", ".join(f"{what}: {old} -> {new}" for what, old, new in _upgrades(difference))
    elif cause.kind == "overlay":
        yield f"the overlay `{_overlay_source(difference)}`: {_overlay_move(difference)}"
    elif cause.kind == "other":
        yield "no value of the spec: a file that it names, or where its lines stand"
    else:
        yield "cannot be told: the spec of the last compile is not there, or is no longer right"
    yield from (f"  {path}" for path in cause.paths)
    if not cause.paths:
        yield "  changes no file"
    yield ""


def _upgrades(difference: Difference) -> Iterator[tuple[str, str, str]]:
    last, now = difference.last, difference.compiled
    if last is not None and last.stack != now.stack:
        yield "stack", last.stack, now.stack
    if last is not None and last.version != now.version:
        yield "trainspec", last.version, now.version


def _overlay_source(difference: Difference) -> str:
    return difference.document.values["project"]["overlay"]["source"]


def _overlay_commits(difference: Difference) -> tuple[str | None, str | None]:
    last, pin = difference.last, difference.compiled.overlay
    before = last.overlay.commit if last is not None and last.overlay is not None else None
    return before, None if pin is None else pin.commit


def _overlay_move(difference: Difference) -> str:
    before, after = _overlay_commits(difference)
    if after is None:
        return "its folder has changed"
    return f"{(before or 'its folder')[:_SHORT_COMMIT]} -> {after[:_SHORT_COMMIT]}"


def _where(document: Document, change: ValueChange) -> str:
    place = document.key_place(change.path)
    return f"{place.file}:{document.line_of(place)}"


def _change_text(change: ValueChange) -> str:
    key = written_key(change.path)
    match change:
        case ValueChange(before=before, after=after) if before is ABSENT:
            return f"{key} = {_value_text(after)} is new"
        case ValueChange(before=before, after=after) if after is ABSENT:
            return f"{key} = {_value_text(before)} is gone"
        case _:
            return f"{key}: {_value_text(change.before)} -> {_value_text(change.after)}"


def _value_text(value: object) -> str:
    if isinstance(value, dict):
        return "{ ... }"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _unified(change: Change) -> Iterator[str]:
    if not change.is_written:
        return
    before, after = _lines(change.before), _lines(change.after)
    old = "/dev/null" if change.before is None else f"a/{change.path}"
    new = "/dev/null" if change.after is None else f"b/{change.path}"
    for number, line in enumerate(difflib.unified_diff(before, after, old, new, lineterm="")):
        yield line.removesuffix("\n")
        is_heading = number < 2 or line.startswith("@@")  # noqa: PLR2004  # the two file names
        if not is_heading and not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(data: bytes | None) -> list[str]:
    text = "" if data is None else data.decode("utf-8", "surrogateescape")
    *lines, rest = text.split("\n")
    return [*(f"{line}\n" for line in lines), *([rest] if rest else [])]


def _project_record(difference: Difference) -> dict[str, Any]:
    changes = difference.changes
    return {
        "spec": difference.document.source.name,
        "out_of_date": changes.out_of_date,
        "causes": [_cause_record(difference, cause) for cause in difference.causes],
        "moves": [move._asdict() for move in changes.moves],
        "files": [_file_record(change) for change in changes.entries],
        "faults": [fault._asdict() for fault in changes.faults],
        "notes": list(changes.notes),
    }


def _cause_record(difference: Difference, cause: Cause) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": cause.kind, "paths": list(cause.paths)}
    if cause.kind == "spec":
        record["changes"] = [
            {
                "key": written_key(change.path),
                "file": difference.document.key_place(change.path).file,
                "line": difference.document.line_of(difference.document.key_place(change.path)),
                **{
                    name: value
                    for name, value in (("before", change.before), ("after", change.after))
                    if value is not ABSENT
                },
            }
            for change in cause.changes
        ]
    elif cause.kind == "overlay":
        before, after = _overlay_commits(difference)
        source = _overlay_source(difference)
        record["changes"] = [{"key": source, "before": before, "after": after}]
    elif cause.kind == "upgrade":
        record["changes"] = [
            {"key": what, "before": old, "after": new} for what, old, new in _upgrades(difference)
        ]
    return record


def _file_record(change: Change) -> dict[str, Any]:
    return {
        "path": change.path,
        "fate": str(change.fate),
        "partner": change.partner,
        "note": change.note,
        "diff": "".join(f"{line}\n" for line in _unified(change)),
    }
