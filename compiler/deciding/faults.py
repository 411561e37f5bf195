"""What a compile has broken: faults of the project that neither of the two sides had alone."""

import ast
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from compiler.changes import Change, Fate, Fault
from compiler.manifest import plain_text
from compiler.writing.disk import look

__all__ = ["FindFaults", "merge_faults", "syntax_faults"]

# Looks at a project, its texts by path, and names what is wrong in it.
FindFaults = Callable[[Mapping[str, str]], Sequence[Fault]]

# What becomes of paths that hold nothing of their owner's.
_NOT_OWNED = {Fate.NEW, Fate.UPDATED, Fate.REMOVED, Fate.RESTORED, Fate.TAKEN_OVER, Fate.DELETED}
# Where Python finds the modules of a project.
_ROOTS = ("", "tests")


def merge_faults(
    project: Path,
    changes: Sequence[Change],
    tree: Mapping[str, str],
    find_faults: FindFaults,
) -> tuple[Fault, ...]:
    """Name the faults of the project as it will be that neither the disk nor the tree has alone.

    A file that is all its owner's has them too, where it takes what another file no longer has.
    Faults are the same where path and message are, for a merge moves lines. A file with conflict
    markers is its owner's to settle first, and is left out.
    """
    written = {change.path: change for change in changes if change.is_written}
    own = _own_modules(project, tree) if written else []
    if not (own or (written and any(change.fate not in _NOT_OWNED for change in changes))):
        return ()
    disk = _on_disk(project, [*tree, *own])
    # What a renamed file has wrong it had wrong before.
    disk |= {
        change.partner: plain_text(change.before or b"") or ""
        for change in changes
        if change.fate is Fate.RENAMED and change.partner is not None
    }
    after = {**disk}
    for path, change in written.items():
        text = plain_text(change.after or b"")
        if change.after is None or text is None or change.fate is Fate.CONFLICT:
            after.pop(path, None)
        else:
            after[path] = text
    found = find_faults(after)
    # Most merges are right, and the sides need no look then.
    sides = (tree, disk) if found else ()
    alone = {(fault.path, fault.message) for side in sides for fault in find_faults(side)}
    return tuple(fault for fault in found if (fault.path, fault.message) not in alone)


def _own_modules(project: Path, tree: Mapping[str, str]) -> list[str]:
    found = [path for root in _ROOTS for path in sorted((project / root).glob("*.py"))]
    names = [path.relative_to(project).as_posix() for path in found]
    return [name for name in names if name not in tree]


def _on_disk(project: Path, paths: Sequence[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for path in paths:
        found = look(project, path)
        text = plain_text(found) if isinstance(found, bytes) else None
        if text is not None:
            texts[path] = text
    return texts


def syntax_faults(texts: Mapping[str, str]) -> list[Fault]:
    """Name the Python files that cannot be parsed."""
    faults: list[Fault] = []
    for path, text in texts.items():
        if not path.endswith(".py"):
            continue
        try:
            ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            # Without the reason, for a merge may give the same broken lines another one.
            line = error.lineno if isinstance(error, SyntaxError) else None
            faults.append(Fault(path, line or 1, "it cannot be parsed"))
    return faults
