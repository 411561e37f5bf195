"""Pay for words that a text should hold."""

from whole_words import missing_words


def score_keywords(text: str, keywords: tuple[str, ...], *, fold: bool) -> float:
    """Pay the share of the keywords that stand in the text as words of their own.

    Gamed by a list of the keywords: how they are used is not looked at.
    """
    return 1.0 - len(missing_words(text, keywords, fold=fold)) / len(keywords)


def explain_keywords(text: str, keywords: tuple[str, ...], *, fold: bool) -> str:
    """Name the keywords that are missing."""
    missing = ", ".join(f"`{word}`" for word in missing_words(text, keywords, fold=fold))
    return f"{missing} missing" if missing else "every keyword is there"
