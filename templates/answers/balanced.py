"""Tell whether the brackets of a text belong together."""


def is_balanced(text: str) -> bool:
    """Whether no bracket closes before it opens, and none stays open."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0
