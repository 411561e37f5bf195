"""What becomes of each path: (written last time, on disk, written now) -> changes."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from compiler.changes import Blocked, Change, Fate
from compiler.deciding.lookalike import find_lookalike
from compiler.manifest import Compiled, Manifest, plain_text
from compiler.merge import Labels, has_markers, merge_file
from compiler.writing.disk import Obstacle, Sight, check_paths, look, makes_way, twin_but_for_case

__all__ = ["compare", "has_new_markers"]


class _Texts(NamedTuple):
    """All that a decision depends on beside the path itself."""

    project: Path
    base: Mapping[str, str]
    tree: Mapping[str, str]
    modules: tuple[str, ...]


def compare(
    project: Path, last: Manifest, compiled: Compiled, followed: Mapping[str, str]
) -> tuple[list[Change], list[Blocked]]:
    """Decide on each path, and name those that keep everything from being written.

    `followed` are the paths of the tree that go on under a new name, with their old one.
    """
    base, tree = last.base, compiled.tree
    check_paths(tree)
    texts = _Texts(project, base, tree, compiled.modules)
    changes: list[Change] = []
    blocked: list[Blocked] = []
    for path in sorted(base.keys() - tree.keys() - set(followed.values())):
        changes += _no_longer_written(path, look(project, path), base[path])
    # What goes with this compile makes room for what comes.
    leaving = {change.path for change in changes if change.fate is Fate.REMOVED} | {
        path for path in followed.values() if isinstance(look(project, path), bytes)
    }
    for path in sorted(tree):
        try:
            if path in followed:
                changes += _followed(texts, followed[path], path, leaving, last)
            elif path in base:
                changes += _again(texts, path, look(project, path), base[path])
            else:
                changes += _first(texts, path, leaving, last)
        except Blocked as reason:
            blocked.append(reason)
    return sorted(changes, key=lambda change: change.path), blocked


def has_new_markers(text: str, base: str) -> bool:
    """Whether a text has conflict markers that the compiler did not itself write as text."""
    written = set(base.splitlines())
    return has_markers("\n".join(line for line in text.splitlines() if line not in written))


def _no_longer_written(path: str, found: Sight, base: str) -> Iterator[Change]:
    match found:
        case None:
            return
        case Obstacle(reason=reason):
            yield Change(path, Fate.ABANDONED, None, None, note=reason)
        case _ if plain_text(found) == base:
            yield Change(path, Fate.REMOVED, found, None)
        case _:
            yield Change(path, Fate.ABANDONED, found, found)


def _again(texts: _Texts, path: str, found: Sight, base: str) -> Iterator[Change]:
    new = texts.tree[path]
    match found:
        case None:
            yield Change(path, Fate.DELETED, None, None, note=_where_to(texts, path, base, new))
        case Obstacle(reason=reason) if base == new:
            yield Change(path, Fate.KEPT, None, None, note=reason)
        case Obstacle():
            yield from _beside(texts, path, found, new)
        case _ if plain_text(found) == new:
            return
        case _ if found == base.encode():
            yield Change(path, Fate.UPDATED, found, new.encode())
        case _ if base == new:
            yield Change(path, Fate.KEPT, found, found)
        case _:
            yield from _both_changed(texts, path, found, base)


def _both_changed(texts: _Texts, path: str, found: bytes, base: str) -> Iterator[Change]:
    new = texts.tree[path]
    if has_new_markers(plain_text(found) or "", base):
        raise Blocked(path, "it holds conflict markers")
    merged = merge_file(path, base, found, new, labels=Labels(), modules=texts.modules)
    if merged is None:
        yield from _beside(texts, path, found, new, why="it is not UTF-8")
    elif merged.conflicts:
        yield Change(path, Fate.CONFLICT, found, merged.data)
    elif merged.data == found:
        yield Change(path, Fate.KEPT, found, found)
    else:
        # Other line ends are no edit, and stay.
        fate = Fate.UPDATED if plain_text(found) == base else Fate.MERGED
        yield Change(path, fate, found, merged.data)


def _first(texts: _Texts, path: str, leaving: set[str], last: Manifest) -> Iterator[Change]:
    new, found = texts.tree[path], look(texts.project, path)
    former = last.abandoned.get(path, last.deleted.get(path))
    if former is not None and (isinstance(found, bytes) or path in last.deleted):
        # It was written once before.
        yield from _again(texts, path, found, former)
        return
    match found:
        case bytes() if plain_text(found) == new:
            yield Change(path, Fate.TAKEN_OVER, found, found)
        case Obstacle(place=place) if not makes_way(texts.project, place, leaving):
            yield from _beside(texts, path, found, new)
        case bytes():
            yield from _beside(texts, path, found, new)
        case _:
            twin = twin_but_for_case(texts.project, path)
            if twin is not None and twin not in leaving:
                raise Blocked(path, f"`{twin}` differs from it only in case")
            yield Change(path, Fate.NEW, None, new.encode())


def _followed(
    texts: _Texts, old: str, new: str, leaving: set[str], last: Manifest
) -> Iterator[Change]:
    base = texts.base[old]
    there, here = look(texts.project, old), look(texts.project, new)
    if here is not None and there is None:
        # Its owner has renamed it already.
        yield from _again(texts, new, here, base)
    elif here is not None or isinstance(there, Obstacle):
        yield from _no_longer_written(old, there, base)
        yield from _first(texts, new, leaving, last)
    elif there is None:
        yield Change(new, Fate.DELETED, None, None, partner=old)
    else:
        note = "" if plain_text(there) == base else "your edits went along"
        yield Change(old, Fate.RENAMED, there, None, partner=new, note=note)
        followed = list(_again(texts, new, there, base))
        for change in followed or [Change(new, Fate.UPDATED, there, there)]:
            # A file beside the new path has no other end.
            is_end = change.path == new
            yield change._replace(before=None, partner=old) if is_end else change


def _beside(
    texts: _Texts, path: str, found: bytes | Obstacle, new: str, why: str = ""
) -> Iterator[Change]:
    side = f"{path}.new"
    if isinstance(found, Obstacle) and found.place != path:
        raise Blocked(path, found.reason)
    if side in texts.tree or side in texts.base:
        raise Blocked(path, f"`{side}`, where its text would go, is another file of the project")
    there = look(texts.project, side)
    if there is not None and (isinstance(there, Obstacle) or plain_text(there) != new):
        raise Blocked(path, f"its text would go to `{side}`, which is there")
    mine = (None, found.reason) if isinstance(found, Obstacle) else (found, why)
    yield Change(path, Fate.FOREIGN, mine[0], mine[0], partner=side, note=mine[1])
    yield Change(side, Fate.BESIDE, there, there or new.encode(), partner=path)


def _where_to(texts: _Texts, path: str, base: str, new: str) -> str:
    """Say where its owner seems to have put a file, and what that file now lacks."""
    known = {*texts.base, *texts.tree}
    other = find_lookalike(texts.project, path, base, known)
    if other is None:
        return ""
    lacks = "" if base == new else ", without what changed in this compile"
    return f"`{other}` looks like it under another name{lacks}"
