"""Drop blanks."""


def without_blanks(text: str) -> str:
    """Return `text` without any blank or line break."""
    return "".join(text.split())
