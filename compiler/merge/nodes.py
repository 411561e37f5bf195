"""A Python file as nodes that are merged one by one: leaves, records, brackets and blocks."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

from compiler.merge.python_source import Meaning, PythonSource

__all__ = ["Block", "Brackets", "Item", "Leaf", "Node", "Record", "code_of", "comments_of"]


def code_of(meaning: Meaning) -> Meaning:
    """What a meaning says to Python: all but its comments."""
    return tuple(said for said in meaning if not _is_comment(said))


def comments_of(meaning: Meaning) -> Meaning:
    """What a meaning says to its readers alone."""
    return tuple(said for said in meaning if _is_comment(said))


def _is_comment(said: str | tuple[str, str]) -> bool:
    return isinstance(said, tuple) and said[0] == "#"


@dataclass(frozen=True)
class Leaf:
    """A stretch of text that changes as a whole, or `by_lines`, as prose does."""

    source: PythonSource
    start: int
    end: int
    by_lines: bool = False

    @cached_property
    def text(self) -> str:
        """The text as it stands in the file."""
        return self.source.text[self.start : self.end]

    @cached_property
    def meaning(self) -> Meaning:
        """What the text says; of prose, and where the indentation matters, its lines."""
        if self.by_lines:
            return tuple(self.text.split("\n"))
        return self.source.meaning(self.start, self.end)


@dataclass(frozen=True)
class Record:
    """A fixed number of nodes, one after the other, that make up one thing."""

    kind: str
    slots: tuple["Node", ...]

    @cached_property
    def text(self) -> str:
        """The text as it stands in the file."""
        return "".join(slot.text for slot in self.slots)

    @cached_property
    def meaning(self) -> Meaning:
        """What the slots say, in order."""
        return tuple(said for slot in self.slots for said in slot.meaning)


@dataclass(frozen=True)
class Item:
    """A statement of a block or an element of brackets, with the comments that go with it.

    `key` tells it from its neighbours. An item that is `named` is the same thing wherever it stands
    and another thing under another key; one that is not may be recognised by its likeness too.
    `lead` are the whole lines above it, `trail` the comment behind its comma, `indent` the blanks
    before it in its line, or behind the comma before it where it has no line of its own.
    """

    kind: str
    key: Hashable
    named: bool
    core: "Node"
    lead: str = ""
    indent: str = ""
    trail: str = ""
    own_line: bool = True

    @property
    def free(self) -> bool:
        """Whether the place among its neighbours says nothing."""
        return self.named and self.kind != "parameter"

    @cached_property
    def comments(self) -> tuple[str, ...]:
        """The comments around it, without their layout."""
        lines = [*self.lead.splitlines(), self.trail]
        return tuple(line.strip() for line in lines if line.strip())

    @cached_property
    def meaning(self) -> Meaning:
        """What it says, with its comments."""
        return (*(("#", comment) for comment in self.comments), *self.core.meaning)


@dataclass(frozen=True)
class Brackets:
    """Elements between brackets, parted by commas: arguments, entries, names of an import.

    `opening` and `closing` are the brackets, or empty for an import without. `head` is a comment
    behind the opening bracket; `tail` and `close_indent` are the lines and the blanks before the
    closing one, which stands in a line of its own where `close_own_line` says so.
    """

    kind: str
    opening: str
    closing: str
    items: tuple[Item, ...]
    text: str
    meaning: Meaning
    line_indent: str
    head: str = ""
    tail: str = ""
    close_indent: str = ""
    close_own_line: bool = False
    trailing_comma: bool = False

    @cached_property
    def one_a_line(self) -> bool:
        """Whether each element has its own line and a comma, as ruff keeps it."""
        own_lines = all(item.own_line for item in self.items)
        return bool(self.items) and own_lines and self.close_own_line and self.trailing_comma


@dataclass(frozen=True)
class Block:
    """The statements of a body, whole lines each, and the comments behind the last of them."""

    items: tuple[Item, ...]
    tail: str

    @cached_property
    def text(self) -> str:
        """The text as it stands in the file."""
        return "".join(item.lead + item.core.text for item in self.items) + self.tail

    @cached_property
    def meaning(self) -> Meaning:
        """What the statements say, between marks, so that what stands inside is told apart."""
        said = tuple(word for item in self.items for word in item.meaning)
        comments = (("#", line.strip()) for line in self.tail.splitlines() if line.strip())
        return ("{", *said, *comments, "}")


Node = Leaf | Record | Brackets | Block
