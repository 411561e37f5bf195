"""Take an answer only where a completion gives no other."""


def only_of(found: list[str]) -> str | None:
    """Return the answer where all that were found are the same one: listing several earns none."""
    return found[0] if len(set(found)) == 1 else None
