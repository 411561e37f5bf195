"""Choose the first of several answers."""


def first_of(found: list[str]) -> str | None:
    """Return the first answer, whatever follows it."""
    return found[0] if found else None
