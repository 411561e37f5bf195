"""A merged text as parts, and the marker lines around those that its owner must choose between."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["Conflict", "Labels", "Part", "has_markers", "render", "side", "split_lines"]

# Seven characters and a label, as git writes them. `=======` alone says nothing: it underlines a
# title in Markdown, and never stands in a conflict without the others.
# In a notebook such a line is a string of a cell's list.
_MARKER = re.compile(
    r"^(?:(?:<{7}|\|{7}|>{7})(?: .*)?|\s+\"(?:<{7}|\|{7}|>{7}) .*\\n\",?)\r?$", re.MULTILINE
)


class Labels(NamedTuple):
    """What the three sides of a conflict are called in its markers."""

    mine: str = "yours"
    base: str = "last compile"
    new: str = "this compile"


class Conflict(NamedTuple):
    """A stretch of text that both sides changed, each in its own way."""

    mine: str
    base: str
    new: str


Part = str | Conflict


def has_markers(text: str) -> bool:
    """Whether a line of the text is a marker that a merge left for its owner to settle."""
    return _MARKER.search(text) is not None


def side(parts: Iterable[Part], name: str) -> str:
    """The text with each conflict decided for one side: `mine`, `base` or `new`."""
    return "".join(part if isinstance(part, str) else getattr(part, name) for part in parts)


def render(parts: Iterable[Part], labels: Labels) -> tuple[str, int]:
    """The text, with markers around the whole lines that hold a conflict, and how many there are.

    The text ends with a line end if each side of it does.
    """
    texts: list[str] = []
    conflicts = 0
    for group in _whole_lines(parts):
        mine, base, new = (side(group, name) for name in Conflict._fields)
        if mine == new:
            texts.append(mine)
            continue
        conflicts += 1
        head, (mine, base, new), tail = _without_common_lines(mine, base, new)
        texts += (
            *(head, f"<<<<<<< {labels.mine}\n", _ended(mine)),
            *(f"||||||| {labels.base}\n", _ended(base), "=======\n", _ended(new)),
            *(f">>>>>>> {labels.new}\n", tail),
        )
    return "".join(texts), conflicts


def _ended(text: str) -> str:
    """The text with an end to its last line; a marker needs a line of its own."""
    return text if not text or text.endswith("\n") else text + "\n"


def _whole_lines(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """The parts in groups that are whole lines on each side."""
    group: list[Part] = []
    for part in parts:
        if isinstance(part, Conflict):
            group.append(part)
            if all(not text or text.endswith("\n") for text in part) and len(group) == 1:
                yield group
                group = []
            continue
        for line in split_lines(part):
            group.append(line)
            if line.endswith("\n"):
                yield group
                group = []
    if group:
        yield group


def split_lines(text: str) -> list[str]:
    """The lines of a text, which end at a line feed alone."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _without_common_lines(mine: str, base: str, new: str) -> tuple[str, tuple[str, str, str], str]:
    """The sides without the lines that all three begin and end with."""
    sides = [split_lines(mine), split_lines(base), split_lines(new)]
    head: list[str] = []
    while all(sides) and sides[0][0] == sides[1][0] == sides[2][0]:
        head.append(sides[0][0])
        sides = [lines[1:] for lines in sides]
    tail: list[str] = []
    while all(sides) and sides[0][-1] == sides[1][-1] == sides[2][-1]:
        tail.insert(0, sides[0][-1])
        sides = [lines[:-1] for lines in sides]
    first, second, third = ("".join(lines) for lines in sides)
    return "".join(head), (first, second, third), "".join(tail)
