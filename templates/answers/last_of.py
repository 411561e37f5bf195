"""Choose the last of several answers."""


def last_of(found: list[str]) -> str | None:
    """Return the last answer: what a completion takes back earlier does not count."""
    return found[-1] if found else None
