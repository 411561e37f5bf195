"""Take the answer of a completion as the text that a reward looks at."""

from answers import read_answer


def answer_text(text: str) -> str:
    """Return the answer that is read, "" where none is."""
    return read_answer(text) or ""
