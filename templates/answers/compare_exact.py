"""Compare an answer with the gold character by character."""


def same_exact(answer: str, gold: str) -> bool:
    """Whether both are the same characters, outer blanks apart; nothing equals an empty gold."""
    return answer.strip() == gold.strip() != ""
