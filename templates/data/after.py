"""Cut off what stands in front of a mark."""


def after(text: str, mark: str) -> str:
    """Return the text behind the last `mark`; raises ValueError where it is missing."""
    _, found, tail = text.rpartition(mark)
    if not found:
        raise ValueError(f"no {mark!r} in it")
    return tail.strip()
