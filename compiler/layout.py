"""The tags of the layout that a prompt asks for."""

import re

__all__ = ["tags_of"]

_TAG = re.compile(r"<([A-Za-z_][A-Za-z0-9_.-]*)>(?:(?!<\1>).)*?</\1>", re.DOTALL)


def tags_of(text: str) -> tuple[str, ...]:
    """The names of the tags that stand in a text, opened and closed, in order; each once."""
    return tuple(dict.fromkeys(found[1] for found in _TAG.finditer(text)))
