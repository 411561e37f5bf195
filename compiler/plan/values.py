"""A planned value, its Python text, and where it comes from."""

from typing import Any, Literal, NamedTuple

__all__ = ["Argument", "Origin", "OriginKind", "Planned"]

# A longer argument stands below its comment: the call is indented, and lines have 100 characters.
LONGEST = 84

OriginKind = Literal["spec", "default", "tier", "compiler"]


class Origin(NamedTuple):
    """Where a value comes from: a key of the spec, or the reason that something else chose it."""

    kind: OriginKind
    reason: str = ""
    path: tuple[str | int, ...] | None = None


class Planned(NamedTuple):
    """A value, the Python text that stands for it, and its origin."""

    value: Any
    code: str
    origin: Origin


class Argument(NamedTuple):
    """One keyword argument of a call in a generated script, with the reason that a reader needs."""

    name: str
    value: Planned
    comment: str = ""

    @property
    def text(self) -> str:
        """The argument as it stands in the call: its comment behind it, above it where long."""
        line = f"{self.name}={self.value.code},"
        if not self.comment:
            return line
        if "\n" in line or len(line) + len(self.comment) > LONGEST:
            return f"# {self.comment}\n{line}"
        return f"{line}  # {self.comment}"
