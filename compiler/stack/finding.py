"""What a rule of the stack has to say, and the resolved values of one stage that it looks at."""

from collections.abc import Collection, Mapping
from typing import NamedTuple, cast

from compiler.diagnostics import Severity
from compiler.stack.table import Stack

__all__ = ["Finding", "Settings"]


class Finding(NamedTuple):
    """A diagnostic without its place: `fields` are TRL's names, the most telling one first."""

    fields: tuple[str, ...]
    code: str
    message: str
    hint: str | None = None
    severity: Severity = Severity.ERROR


class Settings(NamedTuple):
    """One stage as TRL's config will get it.

    `values` holds every field that the compiler passes, by TRL's name; what is not there has TRL's
    default. `written` names the fields that the user chose, be it as a key of the stage or in
    `trainer`: only these are blamed for having no effect. `adapter` says whether the stage trains
    an adapter.
    """

    stack: Stack
    method: str
    values: Mapping[str, object]
    written: Collection[str]
    adapter: bool = False

    def value(self, name: str) -> object:
        """Return what TRL will see in a field."""
        if name in self.values:
            return self.values[name]
        return self.stack.default(self.method, name)

    def number(self, name: str) -> float | None:
        """Return a field's number, or None where it is unset."""
        value = self.value(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        return None

    def text(self, name: str) -> str | None:
        """Return a field's text, or None where it is unset."""
        value = self.value(name)
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a field that takes one or a list of them."""
        value = self.value(name)
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        return tuple(item for item in items if isinstance(item, str))

    def numbers(self, name: str) -> tuple[float, ...] | None:
        """Return a field's list of numbers, or None where it is unset."""
        value = self.value(name)
        return tuple(cast("list[float]", value)) if isinstance(value, list) else None

    def table(self, name: str) -> Mapping[str, object]:
        """Return a field's table, empty where it is unset."""
        value = self.value(name)
        return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}

    def is_on(self, name: str) -> bool:
        """Return whether a switch is on."""
        return self.value(name) is True
