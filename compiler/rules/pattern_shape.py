"""The shape of a regular expression: whether its cost can explode, and texts that would show it.

A backtracking matcher such as Python's `re` takes exponentially long only where a repeat holds
something that can match one text in several ways: another repeat, or branches that begin alike.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

__all__ = ["Pump", "is_safe", "pumps_of", "words_of"]

# Tried in this order for every character that a pattern leaves open, the same one in all places.
CHARACTERS = ("a", "0", " ", "A", "-", ".", ",", "_", "\n", "{", "<", '"')
# Each with what may be left out once, and without it.
VARIANTS = range(2 * len(CHARACTERS))
# Repeats of fewer times than this take a bounded time anyway.
MANY = 8
LONGEST = 500  # of what a pattern asks for at least
REPEATS = ("MAX_REPEAT", "MIN_REPEAT")
# What these have matched is not tried again in another way.
SETTLED = ("ASSERT", "ASSERT_NOT", "ATOMIC_GROUP", "POSSESSIVE_REPEAT")
OPEN = ("IN", "ANY", "NOT_LITERAL")
# A text that ends in a character which patterns seldom ask for, so that no match can be ended.
TAILS = ("", "\x00", "\n\x00")

Item = tuple[Any, Any]


class Pump(NamedTuple):
    """A text that grows: `body`, many times over, between `head` and `tail`."""

    head: str
    body: str
    tail: str

    def text(self, times: int) -> str:
        """The text with so many bodies."""
        return f"{self.head}{self.body * times}{self.tail}"


def is_safe(pattern: str) -> bool:
    """Whether the shape of a pattern rules out that its cost grows exponentially."""
    return all(_is_plain(body) for _, body in _repeats(_items(pattern), "", 0))


def pumps_of(pattern: str) -> list[Pump]:
    """Texts on which the cost of a pattern would grow, if it does."""
    found = {
        Pump(head, body, tail): None
        for variant in VARIANTS
        for head, items in _repeats(_items(pattern), "", variant)
        if not _is_plain(items) and (body := _word(items, variant))
        for tail in TAILS
    }
    return list(found)


def words_of(pattern: str) -> list[str]:
    """Short texts that the pattern, or a part of it, may match."""
    parts = [_items(pattern), *_parts(_items(pattern))]
    words = (_word(items, variant) for items in parts for variant in VARIANTS)
    return list(dict.fromkeys(words))


def _items(pattern: str) -> list[Item]:
    # The parser of `re` itself, which has no other name since `sre_parse` was retired.
    return list(import_module("re._parser").parse(pattern))


def _repeats(items: list[Item], head: str, variant: int) -> Iterator[tuple[str, list[Item]]]:
    """The body of each repeat of many times, with a text for what stands before it."""
    for item in items:
        name, argument = str(item[0]), item[1]
        if name in REPEATS and argument[1] >= MANY:
            yield head, list(argument[2])
        for inner in _inner(item):
            yield from _repeats(inner, head, variant)
        head += _word([item], variant)


def _inner(item: Item) -> list[list[Item]]:
    """The sequences that stand inside an item."""
    name, argument = str(item[0]), item[1]
    match name:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return [list(argument[2])]
        case "SUBPATTERN":
            return [list(argument[3])]
        case "ATOMIC_GROUP":
            return [list(argument)]
        case "ASSERT" | "ASSERT_NOT":
            return [list(argument[1])]
        case "BRANCH":
            return [list(branch) for branch in argument[1]]
        case _:
            return []


def _parts(items: list[Item]) -> Iterator[list[Item]]:
    for item in items:
        for inner in _inner(item):
            yield inner
            yield from _parts(inner)


def _is_plain(items: list[Item]) -> bool:
    """Whether a text can be matched by these in one way only, as far as their shape tells."""
    for item in items:
        name, argument = str(item[0]), item[1]
        if name in REPEATS and argument[0] != argument[1]:
            return False
        if name == "BRANCH" and not _begin_apart(argument[1]):
            return False
        if name not in SETTLED and not all(map(_is_plain, _inner(item))):
            return False
    return True


def _begin_apart(branches: list[Any]) -> bool:
    """Whether each branch begins with another literal."""
    first = [list(branch)[:1] for branch in branches]
    literals = {item[1] for items in first for item in items if str(item[0]) == "LITERAL"}
    return len(literals) == len(branches)


def _word(items: list[Item], variant: int) -> str:
    """A text that these match, taking every choice in the same way."""
    return "".join(_choice(item, variant) for item in items)


def _choice(item: Item, variant: int) -> str:
    name, argument = str(item[0]), item[1]
    if name == "LITERAL":
        return chr(argument)
    if name in OPEN:
        return _character(item, variant)
    if name in (*REPEATS, "POSSESSIVE_REPEAT"):
        least = int(variant < len(CHARACTERS))
        return _word(list(argument[2]), variant) * max(least, min(argument[0], LONGEST))
    if name in ("ASSERT", "ASSERT_NOT"):
        return ""
    inner = _inner(item)
    return _word(inner[variant % len(inner)], variant) if inner else ""


def _character(item: Item, variant: int) -> str:
    """A character that an item matches, the one of the variant where it does."""
    members = [chr(argument) for name, argument in _members(item) if str(name) == "LITERAL"]
    members += [chr(argument[0]) for name, argument in _members(item) if str(name) == "RANGE"]
    first = variant % len(CHARACTERS)
    turned = (*CHARACTERS[first:], *CHARACTERS[:first])
    return next((each for each in (*turned, *members) if _matches(item, each)), "")


def _members(item: Item) -> list[Item]:
    return list(item[1]) if str(item[0]) == "IN" else []


def _matches(item: Item, character: str) -> bool:
    match str(item[0]):
        case "ANY":
            return True  # a pattern may say that it takes line breaks as well
        case "NOT_LITERAL":
            return character != chr(item[1])
        case _:
            named = [member for member in _members(item) if str(member[0]) != "NEGATE"]
            found = any(_is_member(member, character) for member in named)
            return found == (len(named) == len(_members(item)))


def _is_member(member: Item, character: str) -> bool:
    name, argument = str(member[0]), member[1]
    if name == "RANGE":
        return argument[0] <= ord(character) <= argument[1]
    if name == "LITERAL":
        return ord(character) == argument
    kind = str(argument).rpartition("_")[2]
    classes = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
    within = re.match(classes[kind], character) is not None
    return within != ("_NOT_" in str(argument))
