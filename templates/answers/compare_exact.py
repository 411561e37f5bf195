"""Compare an answer with the gold character by character."""

from undress import undressed


def same_exact(answer: str, gold: str) -> bool:
    """Whether both are the same characters, dressing apart; nothing equals an empty gold."""
    return undressed(answer) == undressed(gold) != ""
