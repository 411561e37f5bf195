"""Make every run of blanks one blank."""


def with_single_blanks(text: str) -> str:
    """Return `text` with one blank for each run of blanks and line breaks."""
    return " ".join(text.split())
