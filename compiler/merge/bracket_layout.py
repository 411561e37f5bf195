"""Merged elements put back between their brackets, in the layout that the sides agree on."""

from collections.abc import Sequence
from typing import NamedTuple

from compiler.merge.markers import Conflict, Part
from compiler.merge.match import Triple
from compiler.merge.nodes import Brackets, Item

__all__ = ["Placed", "Sides", "lay_out"]


class Placed(NamedTuple):
    """A merged element: its parts, or the three versions of one that a side took out."""

    item: Item
    in_mine: bool = False
    lead: Sequence[Part] = ()
    core: Sequence[Part] = ()
    trail: Sequence[Part] = ()
    dispute: Triple | None = None


class Sides(NamedTuple):
    """The brackets in the three versions."""

    base: Brackets
    mine: Brackets
    new: Brackets


def lay_out(sides: Sides, placed: list[Placed], head: list[Part], tail: list[Part]) -> list[Part]:
    """Give the brackets with their elements, one a line or as they come.

    The choice between the two is merged as any other change. Where an element's presence or comment
    is in conflict, each has a line, so that the conflict holds no more than that.
    """
    around = [part for each in placed for part in (*each.lead, *each.trail)]
    forced = any(each.dispute for each in placed) or any(
        isinstance(part, Conflict) for part in (*around, *head, *tail)
    )
    if forced or _one_a_line(sides):
        return _in_lines(sides, placed, head, tail)
    return _in_a_row(sides, placed, head, tail)


def _one_a_line(sides: Sides) -> bool:
    # Brackets without elements have no layout to speak of.
    base, mine, new = sides
    if not new.items or (not base.items and mine.items):
        return mine.one_a_line
    if not mine.items:
        return new.one_a_line
    return new.one_a_line if mine.one_a_line == base.one_a_line else mine.one_a_line


def _in_lines(sides: Sides, placed: list[Placed], head: list[Part], tail: list[Part]) -> list[Part]:
    mine = sides.mine
    own = next((item.indent for item in mine.items if item.own_line), None)
    indent = mine.line_indent + "    " if own is None else own
    parts: list[Part] = [mine.opening or "(", *head, "\n"]
    for each in placed:
        if each.dispute:
            base, ours, new = (_line(item, indent) for item in each.dispute)
            parts.append(Conflict(ours, base, new))
        else:
            parts += [*each.lead, indent, *each.core, ",", *each.trail, "\n"]
    close = mine.close_indent if mine.close_own_line else mine.line_indent
    return [*parts, *tail, close, mine.closing or ")"]


def _line(item: Item | None, indent: str) -> str:
    return f"{item.lead}{indent}{item.core.text},{item.trail}\n" if item else ""


def _in_a_row(sides: Sides, placed: list[Placed], head: list[Part], tail: list[Part]) -> list[Part]:
    mine = sides.mine
    hanging = len(mine.items) > 1 and all(item.own_line for item in mine.items[1:])
    keeps = not mine.one_a_line
    indent = next((item.indent for item in mine.items if item.own_line), mine.line_indent + "    ")
    parts: list[Part] = list(head)
    broken = any(head)
    for number, each in enumerate(placed):
        commented = any(each.lead)
        own_line = (
            broken or commented or (each.item.own_line if each.in_mine and keeps else hanging)
        )
        if own_line:
            parts += ["\n", *each.lead, indent]
        elif number:
            spaced = each.in_mine and keeps and each.item not in mine.items[:1]
            parts.append(each.item.indent if spaced and not each.item.own_line else " ")
        elif each.in_mine and keeps and each.item in mine.items[:1]:
            parts.append(each.item.indent)
        last = number + 1 == len(placed)
        parts += [
            *each.core,
            "," if not last or _ends_with_comma(mine, placed) else "",
            *each.trail,
        ]
        broken = any(each.trail)
    if broken or any(tail) or (keeps and mine.close_own_line):
        parts += ["\n", *tail, mine.close_indent if mine.close_own_line else mine.line_indent]
    elif keeps and mine.items:
        parts.append(mine.close_indent)
    bare = not mine.opening and not any(isinstance(part, str) and "\n" in part for part in parts)
    return parts if bare else [mine.opening or "(", *parts, mine.closing or ")"]


def _ends_with_comma(mine: Brackets, placed: list[Placed]) -> bool:
    if mine.kind == "tuple" and (len(placed) == 1 or len(mine.items) == 1):
        return len(placed) == 1
    return mine.trailing_comma and not mine.one_a_line
