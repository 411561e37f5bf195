"""The tags of the layout that a prompt asks for."""

import re

__all__ = ["tags_of"]

_TAG = re.compile(r"<(/?)([A-Za-z_][A-Za-z0-9_.-]*)>")


def tags_of(text: str) -> tuple[str, ...]:
    """The names of the tags that stand in a text, opened and closed, in order; each once.

    What stands between a tag and its closing tag is content, and its tags are not counted.
    """
    found: dict[str, None] = {}
    tokens = [(tag[2], tag[1] == "/") for tag in _TAG.finditer(text)]
    inside: int | None = None
    following = _next_of_same_name(tokens)
    for position, (name, closes) in enumerate(tokens):
        if inside is not None:
            inside = None if position == inside else inside
        elif not closes and (end := following[position]) is not None and tokens[end][1]:
            found[name] = None
            inside = end
    return tuple(found)


def _next_of_same_name(tokens: list[tuple[str, bool]]) -> list[int | None]:
    """For each tag the position of the next one with its name, opening or closing."""
    following: list[int | None] = [None] * len(tokens)
    latest: dict[str, int] = {}
    for position in range(len(tokens) - 1, -1, -1):
        name = tokens[position][0]
        following[position] = latest.get(name)
        latest[name] = position
    return following
