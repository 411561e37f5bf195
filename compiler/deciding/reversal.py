"""A compile that goes back to the spec before the last: its files get the bytes of that time."""

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from compiler.changes import Change, Fate
from compiler.manifest import STATE_FOLDER, plain_text
from compiler.unsettled import Unsettled
from compiler.writing.journal import Step, digest, digest_now, load_undo, undo_folder

__all__ = ["reversed_changes"]

_WRITTEN = (Fate.NEW, Fate.UPDATED, Fate.MERGED, Fate.CONFLICT)


def reversed_changes(
    project: Path, changes: Sequence[Change], tree: Mapping[str, str]
) -> list[Change]:
    """Give each merge that undoes the last compile's merge the bytes from before that one.

    A merge there and back may leave lines of its owner in another order, for what stood beside them
    was gone in between. So where a file is as the last compile left it, and its new text is the one
    that it had before, it is taken back instead.
    """
    record = None
    # A record that cannot be read is of no use here, and does no harm.
    with contextlib.suppress(Unsettled):
        record = load_undo(project)
    if record is None:
        return list(changes)
    steps = {step.path: (index, step) for index, step in enumerate(record.steps)}
    return [_reversed(project, change, tree, steps) for change in changes]


def _reversed(
    project: Path,
    change: Change,
    tree: Mapping[str, str],
    steps: Mapping[str, tuple[int, Step]],
) -> Change:
    ends = [change.path, *([change.partner] if change.partner else [])]
    base = f"{STATE_FOLDER}/base/{change.path}"
    if change.fate not in _WRITTEN or not steps.keys() >= {base, *ends}:
        return change
    if any(digest_now(project, end) != steps[end][1].after for end in ends):
        return change
    if change.partner and steps[change.partner][1].before is not None:
        # The other end has edits of its own, from before the stage had its name.
        return change
    old, old_base = (_old_bytes(project, *steps[path]) for path in (change.path, base))
    if old is None or old_base is None or plain_text(old_base) != tree[change.path]:
        return change
    is_edited = plain_text(old) != tree[change.path]
    if change.fate is Fate.NEW:
        # Edits of what was there went elsewhere with a rename; line ends come back.
        return change if is_edited else change._replace(after=old)
    return change._replace(fate=Fate.MERGED if is_edited else Fate.UPDATED, after=old)


def _old_bytes(project: Path, index: int, step: Step) -> bytes | None:
    place = undo_folder(project) / f"old-{index}"
    data = place.read_bytes() if place.is_file() else None
    return data if digest(data) == step.before else None
