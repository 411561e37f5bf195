"""Cut off what stands behind a mark."""


def before(text: str, mark: str) -> str:
    """Return the text in front of the last `mark`; raises ValueError where it is missing."""
    head, found, _ = text.rpartition(mark)
    if not found:
        raise ValueError(f"no {mark!r} in it")
    return head.strip()
