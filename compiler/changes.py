"""What a compile does to a project, path by path: the one record behind report, diff and check."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["Blocked", "Change", "Changes", "Fate", "Fault", "Move"]


class Fate(StrEnum):
    """What becomes of a path."""

    NEW = "new"  # written for the first time
    UPDATED = "updated"  # untouched by its owner: the new text, byte by byte
    MERGED = "merged"  # edited by its owner and by the compiler, in different things
    CONFLICT = "conflict"  # edited by both in the same thing: written with conflict markers
    KEPT = "kept"  # edited by its owner; what the compiler writes there is unchanged
    DELETED = "deleted"  # deleted by its owner, and stays deleted
    RESTORED = "restored"  # deleted by its owner, who now asked for it again
    REMOVED = "removed"  # no longer written, and untouched by its owner
    ABANDONED = "abandoned"  # no longer written, but edited by its owner: stays
    TAKEN_OVER = "taken over"  # its owner's, with the very text that is written
    FOREIGN = "foreign"  # its owner's; the new text, which cannot be merged, goes beside it
    BESIDE = "beside"  # such a new text, at the owner's path with `.new` behind it
    RENAMED = "renamed"  # gone from here with its edits; `partner` says where to


class Change(NamedTuple):
    """One path of the project: the bytes before and after, None where there is no file.

    `partner` is the other end of a rename, or the path that a file lies beside. `note` is a phrase
    with what else there is to know. What is no regular file has no bytes here and is left alone.
    """

    path: str
    fate: Fate
    before: bytes | None
    after: bytes | None
    partner: str | None = None
    note: str = ""

    @property
    def is_written(self) -> bool:
        """Whether the path holds something else afterwards."""
        return self.before != self.after


class Move(NamedTuple):
    """A folder that goes on under another name, with all that is in it."""

    old: str
    new: str


class Blocked(Exception):
    """A path cannot be written, which its owner must settle before anything is; it says why."""

    def __init__(self, path: str, reason: str) -> None:
        """Keep both."""
        super().__init__(f"`{path}` cannot be written: {reason}")
        self.path, self.reason = path, reason


class Fault(NamedTuple):
    """What is wrong with a merged file though it was wrong in neither of the two texts."""

    path: str
    line: int
    message: str


class Changes(NamedTuple):
    """All that a compile does to a project, sorted by path.

    Paths that it leaves as they are, and that their owner left as they were written, are not in it.
    `stages` are the renamed stages by their old names, `moves` the folders that follow them, and
    `notes` are sentences with what could not follow. `out_of_date` says whether the project is not
    what its spec compiles to; edits of its owner have no part in that.
    """

    entries: tuple[Change, ...] = ()
    stages: Mapping[str, str] = MappingProxyType({})
    moves: tuple[Move, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    out_of_date: bool = False

    def paths(self, *fates: Fate) -> list[str]:
        """The paths that met one of these fates."""
        return [change.path for change in self.entries if change.fate in fates]

    @property
    def written(self) -> dict[str, bytes | None]:
        """The new bytes of each path that is written, None where it is removed."""
        return {change.path: change.after for change in self.entries if change.is_written}

    @property
    def unsettled(self) -> list[str]:
        """The paths that wait for their owner afterwards, and stop every later compile."""
        return self.paths(Fate.CONFLICT, Fate.BESIDE)

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left for the owner to settle."""
        return not self.unsettled and not self.faults
