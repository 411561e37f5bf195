"""What ends a command without a fault in the spec or in the compiler."""

from collections.abc import Sequence

__all__ = ["BadSetting", "Locked", "NewerState", "Unreachable", "Unsettled"]


class BadSetting(Exception):
    """An argument of `--set` that cannot be carried out; the message says why."""


class Locked(Exception):
    """Another compile holds the project; the message says which."""


class Unreachable(Exception):
    """What a compile needs is not on this machine and cannot be brought here; it says why."""


class Unsettled(Exception):
    """Nothing was written; each line says what is in the way or what to do about it."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Keep the lines."""
        super().__init__("\n".join(lines))
        self.lines = tuple(lines)


class NewerState(Unsettled):
    """A newer trainspec has written the state of the project, which is whole but not understood."""
