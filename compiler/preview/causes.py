"""Why a compile changes files: lines of the spec, an upgrade, the overlay, or files it names."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from compiler.diagnostics import Place, Report, Stop
from compiler.emit import emit
from compiler.extends import extend
from compiler.manifest import Compiled, Manifest
from compiler.parse import Document, KeyPath, parse
from compiler.pipeline import (
    Checked,
    Resolved,
    check_document,
    compile_spec,
    plan_spec,
    with_notebook,
    with_overlay,
)
from compiler.source import SourceFile
from compiler.stack_choice import STACK
from compiler.unsettled import Unreachable, Unsettled

__all__ = ["ABSENT", "Cause", "ValueChange", "causes_of", "changed_values"]

# What stands for a value where the spec has none.
ABSENT = object()

Tree = Mapping[str, str]


class ValueChange(NamedTuple):
    """A value that a spec has now and one that it had at the last compile; `ABSENT` for none."""

    path: KeyPath
    before: Any
    after: Any


class Cause(NamedTuple):
    """One reason for changes, and the files whose generated text it changes.

    `spec`: values of the spec or of its house file changed; several where they cannot be taken
    back one by one. `upgrade`: the compile is for another stack, or by another trainspec.
    `overlay`: its commit has moved, or its folder has changed. `other`:
    none of these; a file that the spec names, or where the lines of the spec stand. `unknown`: the
    spec of the last compile is not there, or is no longer right, so that nothing can be told apart.
    """

    kind: Literal["spec", "upgrade", "overlay", "other", "unknown"]
    paths: tuple[str, ...]
    changes: tuple[ValueChange, ...] = ()


def changed_values(last: Manifest, document: Document) -> tuple[ValueChange, ...]:
    """Compare the values of a spec with those of its last compile, in the order of the file.

    A table that came or went is one change. The stack is no value: it has a cause of its own.
    """
    old = _document_then(last, document)
    if old is None:
        return ()
    found = [
        change for change in _differences(old.values, document.values, ()) if change.path != STACK
    ]
    return tuple(sorted(found, key=lambda change: _order(document, change.path)))


def causes_of(last: Manifest, resolved: Resolved, compiled: Compiled) -> tuple[Cause, ...]:
    """Group the files that a compile generates anew by what made their text another one.

    The last spec is compiled again by this trainspec: what differs from the last tree then is not
    the spec's doing. Of the spec's, each changed value is taken back alone: the files that this
    changes are its files. What no value changes alone is put down to all of them together.
    """
    document = resolved.checked.document
    middle = _compile_of_last_spec(last, resolved)
    if middle is None:
        return (Cause("unknown", _differing(last.base, compiled.tree)),)
    by_spec = _differing(middle.tree, compiled.tree)
    changes = changed_values(last, document)
    found = list(_other(last, middle))
    if not changes:
        return (*found, *([Cause("other", by_spec)] if by_spec else ()))
    single = [Cause("spec", by_spec, changes)] if len(changes) == 1 else []
    return (*(single or _by_value(resolved, changes, by_spec)), *found)


def _other(last: Manifest, middle: Compiled) -> Iterator[Cause]:
    """Give what changed though the spec did not."""
    paths = _differing(last.base, middle.tree)
    upgraded = (last.stack, last.version) != (middle.stack, middle.version)
    of_overlay = _of_overlay(last, middle, paths, upgraded=upgraded)
    if of_overlay:
        yield Cause("overlay", of_overlay)
    if rest := tuple(path for path in paths if path not in of_overlay):
        yield Cause("upgrade" if upgraded else "other", rest)


def _of_overlay(
    last: Manifest, middle: Compiled, paths: tuple[str, ...], *, upgraded: bool
) -> tuple[str, ...]:
    """Give the paths that the overlay has changed.

    A file that is no longer written may have been the overlay's or not; an upgrade can drop one,
    without an upgrade only the overlay can.
    """
    moved = middle.overlay is None or middle.overlay != last.overlay
    if not middle.overlay_paths or not moved:
        return ()
    gone = () if upgraded else last.base.keys() - middle.tree.keys()
    return tuple(path for path in paths if path in middle.overlay_paths or path in gone)


def _by_value(
    resolved: Resolved, changes: tuple[ValueChange, ...], paths: tuple[str, ...]
) -> Iterator[Cause]:
    now, unexplained = _untidied(resolved), set(paths)
    together: list[ValueChange] = []
    for change in changes:
        without = _tree_without(resolved.checked, change)
        if without is None:
            together.append(change)
            continue
        found = tuple(path for path in _differing(without, now) if path in paths)
        yield Cause("spec", found, (change,))
        unexplained -= set(found)
    if unexplained or together:
        yield Cause("spec", tuple(sorted(unexplained)), tuple(together or changes))


def _differing(before: Tree, after: Tree) -> tuple[str, ...]:
    return tuple(path for path in sorted({*before, *after}) if before.get(path) != after.get(path))


def _compile_of_last_spec(last: Manifest, resolved: Resolved) -> Compiled | None:
    """Compile the last spec for the stack of this compile; None where it is wrong by now."""
    now = resolved.checked
    document = now.document
    old = _document_then(last, document)
    if old is None:
        return None
    stack = document.values["project"].get("stack")
    values = _with(old.values, STACK, stack) if stack else old.values
    try:
        checked = check_document(old._replace(values=values), Report(), old.source)
        checked = checked._replace(upgrade=now.upgrade, trust=now.trust)
        return compile_spec(plan_spec(checked))
    except (Stop, Unsettled, Unreachable):
        return None


def _document_then(last: Manifest, document: Document) -> Document | None:
    """Read the texts of the last compile; None where it kept none, or they are no spec."""
    if not last.spec_text:
        return None
    report = Report()
    try:
        then = parse(document.source._replace(text=last.spec_text), report)
        if not last.house_text:
            return then
        house = document.house or SourceFile(Path("house.toml"), "house.toml", "")
        return extend(then, house._replace(text=last.house_text), report)
    except Stop:
        return None


def _tree_without(checked: Checked, change: ValueChange) -> Tree | None:
    """Give the texts, not yet tidied, of the spec with one value as it was; None where it is wrong.

    Places stay those of the spec, so that no text changes for where its lines stand.
    """
    values = _with(checked.document.values, change.path, change.before)
    try:
        document = checked.document._replace(values=values)
        before = check_document(document, Report(), checked.on_disk)
        before = before._replace(upgrade=checked.upgrade, trust=checked.trust)
        return _untidied(plan_spec(before))
    except (Stop, Unsettled, Unreachable):
        return None


def _untidied(resolved: Resolved) -> Tree:
    tree = with_overlay(emit(resolved.plan), resolved)[0]
    return with_notebook(tree, resolved.project)


def _with(values: dict[str, Any], path: KeyPath, value: object) -> dict[str, Any]:
    head, rest = str(path[0]), path[1:]
    if rest:
        inner = values.get(head)
        table = cast("dict[str, Any]", inner) if isinstance(inner, dict) else {}
        return {**values, head: _with(table, rest, value)}
    if value is ABSENT:
        return {key: inner for key, inner in values.items() if key != head}
    return {**values, head: value}


def _differences(
    before: dict[str, Any], after: dict[str, Any], path: KeyPath
) -> Iterator[ValueChange]:
    for key in {**before, **after}:
        old, new = before.get(key, ABSENT), after.get(key, ABSENT)
        if all(isinstance(value, dict) for value in (old, new)):
            yield from _differences(old, new, (*path, key))
        elif type(old) is not type(new) or old != new:
            yield ValueChange((*path, key), old, new)


def _order(document: Document, path: KeyPath) -> tuple[bool, int]:
    place: Place = document.key_place(path)
    return place.file != document.source.name, place.span.start
