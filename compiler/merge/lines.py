"""Three versions of a text merged line by line: the diff3 algorithm over `difflib`.

Written here, for the kept library of it, `merge3`, is under the GPL, and `git merge-file` needs a
git. The algorithm is that of Khanna, Kunal and Pierce, "A Formal Investigation of Diff3" (2007),
but for one thing: changes that touch without sharing a line are both made, where diff3 sees a
conflict, so that two neighbouring keys of a configuration file can change apart.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from compiler.merge.markers import Conflict, Part, split_lines

__all__ = ["merge_lines"]


class _Edit(NamedTuple):
    """Lines that stand in the place of `base[start:end]`."""

    start: int
    end: int
    lines: list[str]


class _Cluster(NamedTuple):
    """The edits of both sides that touch each other, and the stretch of the base they cover."""

    start: int
    end: int
    mine: list[_Edit]
    new: list[_Edit]


def merge_lines(base: str, mine: str, new: str, *, keep_both: bool = False) -> list[Part]:
    """Make the changes of both sides to the base, and a conflict where they change the same lines.

    With `keep_both`, what both insert at one place is no conflict: both stand there, mine first.
    """
    if mine in {base, new} or base == new:
        return [new if mine == base else mine]
    lines = split_lines(base)
    parts: list[Part] = []
    done = 0
    for cluster in _clusters(_edits(lines, split_lines(mine)), _edits(lines, split_lines(new))):
        parts.append("".join(lines[done : cluster.start]))
        parts += _settle(lines, cluster, keep_both=keep_both)
        done = cluster.end
    parts.append("".join(lines[done:]))
    return [part for part in parts if part]


def _edits(base: Sequence[str], side: Sequence[str]) -> list[_Edit]:
    codes = SequenceMatcher(None, base, side, autojunk=False).get_opcodes()
    return [
        _Edit(start, end, list(side[first:last]))
        for tag, start, end, first, last in codes
        if tag != "equal"
    ]


def _clusters(mine: list[_Edit], new: list[_Edit]) -> Iterator[_Cluster]:
    """The edits in the order of the base, those that touch together."""
    waiting = [[*reversed(mine)], [*reversed(new)]]
    while any(waiting):
        taken: tuple[list[_Edit], list[_Edit]] = ([], [])
        start = end = min(edits[-1].start for edits in waiting if edits)
        while number := [
            index for index in (0, 1) if waiting[index] and waiting[index][-1].start <= end
        ]:
            edit = waiting[number[0]].pop()
            taken[number[0]].append(edit)
            end = max(end, edit.end)
        yield _Cluster(start, end, *taken)


def _settle(lines: list[str], cluster: _Cluster, *, keep_both: bool) -> list[Part]:
    """One stretch of the result: a side, both, or a conflict over as few lines as can be."""
    start, end = cluster.start, cluster.end
    base = lines[start:end]
    mine, new = (_applied(lines, edits, start, end) for edits in (cluster.mine, cluster.new))
    head: list[str] = []
    while mine and new and mine[0] == new[0]:
        head.append(mine.pop(0))
        new.pop(0)
        if base and base[0] == head[-1]:
            base.pop(0)
    tail: list[str] = []
    while mine and new and mine[-1] == new[-1]:
        tail.insert(0, mine.pop())
        new.pop()
        if base and base[-1] == tail[0]:
            base.pop()
    if base in (mine, new):
        return ["".join([*head, *(new if mine == base else mine), *tail])]
    if not _overlap(cluster, keep_both=keep_both):
        both = sorted([*cluster.mine, *cluster.new], key=lambda edit: (edit.start, edit.end))
        return ["".join(_applied(lines, both, start, end))]
    conflict = Conflict("".join(mine), "".join(base), "".join(new))
    return ["".join(head), conflict, "".join(tail)]


def _applied(lines: list[str], edits: list[_Edit], start: int, end: int) -> list[str]:
    result: list[str] = []
    for edit in edits:
        result += lines[start : edit.start] + edit.lines
        start = edit.end
    return result + lines[start:end]


def _overlap(cluster: _Cluster, *, keep_both: bool) -> bool:
    """Whether an edit of mine and one of the new text share a line, or a place between two."""
    return any(
        max(mine.start, new.start) < min(mine.end, new.end)
        or (mine.start < new.start == new.end < mine.end)
        or (new.start < mine.start == mine.end < new.end)
        or (not keep_both and mine[:2] == new[:2] and mine.start == mine.end)
        for mine in cluster.mine
        for new in cluster.new
    )
