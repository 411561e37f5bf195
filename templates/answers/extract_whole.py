"""Read the whole completion as the answer."""


def whole_text(text: str) -> list[str]:
    """Return the text itself; a blank one is no answer."""
    return [text.strip()] if text.strip() else []
