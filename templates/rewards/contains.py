"""Pay for a text that holds the gold."""

from whole_words import missing_words


def score_contains(text: str, needles: tuple[str, ...], *, fold: bool = False) -> float:
    """Pay 1.0 where every needle stands in the text as words of its own, else 0.0.

    Gamed by naming every candidate: which of them is meant is not looked at.
    """
    return 0.0 if missing_words(text, needles, fold=fold) else 1.0


def explain_contains(text: str, needles: tuple[str, ...], *, fold: bool = False) -> str:
    """Name the needles that are missing."""
    missing = ", ".join(f"`{needle}`" for needle in missing_words(text, needles, fold=fold))
    return f"{missing} missing" if missing else "all of it is there"
