"""A project that is not what its spec compiles to, as a finding that every `--format` can show."""

import shlex

from compiler.changes import Fate
from compiler.diagnostics import Diagnostic, Related, Severity, Span
from compiler.manifest import STATE_FOLDER
from compiler.preview.causes import ABSENT, ValueChange, changed_values
from compiler.preview.difference import Difference

__all__ = ["drift_of"]

_SHOWN = 8


def drift_of(difference: Difference) -> list[Diagnostic]:
    """Report a project that is out of date, at the values that have changed since its last compile.

    What its owner edited in it is no drift.
    """
    changes, document = difference.changes, difference.document
    if not changes.out_of_date:
        return []
    name, last = document.source.name, difference.last
    hints = (f"run `trainspec compile {shlex.quote(name)}`", "see what it changes with `--diff`")
    if last is None and changes.paths(Fate.TAKEN_OVER, Fate.FOREIGN):
        message = f"`{name}` was never compiled, or the `{STATE_FOLDER}/` of its project is lost"
        hints = ("`trainspec adopt` rebuilds a state that is lost", *hints)
    elif last is None:
        message = f"`{name}` was never compiled"
    else:
        paths = [entry.path for entry in changes.entries if entry.is_written]
        shown = ", ".join(f"`{path}`" for path in paths[:_SHOWN])
        more = f" and {len(paths) - _SHOWN} more" * (len(paths) > _SHOWN)
        said = f": a compile would change {shown}{more}" if paths else ""
        message = f"the project of `{name}` is out of date{said}"
    changed = () if last is None else changed_values(last, document)
    related = tuple(
        Related(document.key_place(change.path), _what_happened(change))
        for change in changed[1:_SHOWN]
    )
    label = _what_happened(changed[0]) if changed else None
    place = document.key_place(changed[0].path) if changed else document.source.place(Span(0, 0))
    return [Diagnostic("out-of-date", Severity.ERROR, message, place, label, hints, related)]


def _what_happened(change: ValueChange) -> str:
    if change.before is ABSENT:
        return "is new"
    return f"`{change.path[-1]}` is gone" if change.after is ABSENT else "changed"
