"""Which items of three versions are the same, and in which order the merged ones stand."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from compiler.merge.nodes import Item, code_of

__all__ = ["ALIKE", "Clash", "Triple", "likeness", "line_up"]

# Below this share of common tokens two statements at one place are not one that was changed.
ALIKE = 0.6


class Clash(Exception):
    """The items cannot be merged one by one: both sides changed an order that says something."""


class Triple(NamedTuple):
    """One item in the three versions, None where a version lacks it."""

    base: Item | None
    mine: Item | None
    new: Item | None


def likeness(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """How alike two meanings are, from 0.0 to 1.0."""
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


class _Side(NamedTuple):
    """The items of mine or of the new text, and which of the base each is."""

    items: Sequence[Item]
    known: dict[int, int]

    @property
    def added(self) -> list[int]:
        """The places of the items that the base has not."""
        return [place for place in range(len(self.items)) if place not in self.known]

    def above(self, place: int) -> int:
        """The nearest item of the base above a place, -1 at the top."""
        return next((self.known[up] for up in range(place - 1, -1, -1) if up in self.known), -1)


def line_up(base: Sequence[Item], mine: Sequence[Item], new: Sequence[Item]) -> list[Triple]:
    """Match the items of three versions, and give them in the order of the result.

    The order is mine, unless only the new text moved items. What one side lacks stands behind the
    item it stands behind on the other. Raises `Clash` where both sides moved items, differently,
    whose place says something, or both wrote something in the place of one, or both added
    arguments by position.
    """
    ours, theirs = _Side(mine, _known(base, mine)), _Side(new, _known(base, new))
    same = _same_additions(ours, theirs)
    _refuse_two_for_one(ours, theirs, same, len(base))
    # An item's number is its place in the base, and behind those in mine, and then in the new one.
    mine_ids = [ours.known.get(place, len(base) + place) for place in range(len(mine))]
    known = theirs.known | {place: mine_ids[other] for place, other in same.items()}
    new_ids = [known.get(place, len(base) + len(mine) + place) for place in range(len(new))]
    in_mine, in_new = dict(zip(mine_ids, mine, strict=True)), dict(zip(new_ids, new, strict=True))
    triples = {
        number: Triple(
            base[number] if number < len(base) else None, in_mine.get(number), in_new.get(number)
        )
        for number in in_mine | in_new
    }
    order = _order(mine_ids, new_ids, len(base), triples)
    return sorted((triples[number] for number in order), key=_rank)


def _rank(triple: Triple) -> int:
    """What Python wants first: a docstring, imports from the future, arguments by position."""
    kinds = {item.kind for item in triple if item}
    return 0 if "docstring" in kinds else 1 if kinds & {"future", "positional"} else 2


def _refuse_two_for_one(mine: _Side, new: _Side, same: dict[int, int], count: int) -> None:
    """Raise `Clash` where the sides add, at one place, what cannot both stand there."""
    ours = [place for place in mine.added if place not in same.values()]
    theirs = [place for place in new.added if place not in same]
    positional = [
        any(side.items[place].kind == "positional" for place in places)
        for side, places in ((mine, ours), (new, theirs))
    ]
    if all(positional):
        raise Clash
    gaps = [
        {side.above(place) for place in places if not side.items[place].named}
        for side, places in ((mine, ours), (new, theirs))
    ]
    kept = {*mine.known.values(), *new.known.values(), count}
    if any(above + 1 not in kept for above in gaps[0] & gaps[1]):
        raise Clash


def _known(base: Sequence[Item], side: Sequence[Item]) -> dict[int, int]:
    """Which of the base an item of a side is: by its key, its text, and last by its likeness."""
    known = dict(_once_in_each([item.key for item in base], [item.key for item in side]))
    numbers = {here: ("known", here) for here in known.values()}
    before = [numbers.get(place, item.meaning) for place, item in enumerate(base)]
    after = [
        ("known", known[place]) if place in known else item.meaning
        for place, item in enumerate(side)
    ]
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for tag, start, end, first, last in codes:
        if tag == "equal":
            known |= zip(range(first, last), range(start, end), strict=True)
    for tag, start, end, first, last in codes:
        if tag == "replace":
            left = [place for place in range(start, end) if place not in known.values()]
            right = [place for place in range(first, last) if place not in known]
            known |= _replaced(base, side, left, right)
    # What is left may have been moved.
    left = [None if place in known.values() else item.meaning for place, item in enumerate(base)]
    right = [None if place in known else item.meaning for place, item in enumerate(side)]
    return known | dict(_once_in_each(left, right))


def _once_in_each(base: Sequence[Hashable], side: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    """The places, on the side and in the base, of what stands exactly once in both."""
    counts = Counter(base), Counter(side)
    places = {value: place for place, value in enumerate(base)}
    for place, value in enumerate(side):
        if value is not None and counts[0][value] == counts[1][value] == 1:
            yield place, places[value]


def _replaced(
    base: Sequence[Item], side: Sequence[Item], left: list[int], right: list[int]
) -> Iterator[tuple[int, int]]:
    """The places, on the side and in the base, of what was likely written one for the other."""
    in_turn = len(left) == len(right)
    for here in left:
        for there in list(right):
            one, other = base[here], side[there]
            if one.kind != other.kind or ((one.named or other.named) and one.key != other.key):
                continue
            turn = in_turn and one.kind in {"element", "positional"}
            if turn or likeness(code_of(one.meaning), code_of(other.meaning)) >= ALIKE:
                yield there, here
                del right[: right.index(there) + 1]
                break


def _same_additions(mine: _Side, new: _Side) -> dict[int, int]:
    """Which items of the new text both sides added: by name, or the same text at the same place."""
    same: dict[int, int] = {}
    ours = mine.added
    for place in new.added:
        item = new.items[place]
        for other in ours:
            alike = code_of(item.meaning) == code_of(mine.items[other].meaning)
            if (item.named and item.key == mine.items[other].key) or (
                not item.named and alike and new.above(place) == mine.above(other)
            ):
                same[place] = other
                ours.remove(other)
                break
    return same


def _order(mine: list[int], new: list[int], count: int, triples: dict[int, Triple]) -> list[int]:
    moved = [[number for number in side if number < count] for side in (mine, new)]
    mine_moved, new_moved = (numbers != sorted(numbers) for numbers in moved)
    if mine_moved and new_moved:
        common = set(mine) & set(new)
        orders = [[number for number in side if number in common] for side in (mine, new)]
        items = [triples[number].mine for number in common]
        if orders[0] != orders[1] and not all(item and item.free for item in items):
            raise Clash
    order, other = (new, mine) if new_moved and not mine_moved else (mine, new)
    order = list(order)
    gone = {number for number in other if number < count} - set(order)
    for place, number in enumerate(other):
        if number not in order:
            order.insert(_gap_for(place, other, order, gone), number)
    return order


def _gap_for(place: int, other: list[int], order: list[int], gone: set[int]) -> int:
    """Where in the order an item goes that stands at a place of the other side.

    Behind the item above it; where that is gone from this side, before the item below it, so that
    what this side wrote in its place comes first.
    """
    above = order.index(other[place - 1]) + 1 if place else 0
    if place and other[place - 1] in gone:
        below = [order.index(number) for number in other[place + 1 :] if number in order]
        return below[0] if below and below[0] > above else above
    return above
