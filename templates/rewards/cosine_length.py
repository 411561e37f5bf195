"""Pay for a right answer by how short the completion is."""

import math

from correct import explain_correct, score_correct


def score_cosine_length(
    text: str,
    gold: str,
    length: int,
    limit: int,
    *,
    correct: tuple[float, float],
    wrong: tuple[float, float],
) -> float:
    """Pay a right answer more and a wrong one less, the shorter it is, along half a cosine.

    Gamed by a short guess where it is often right; and where nothing is, by writing on.
    """
    # Appendix C.1 of arXiv 2502.03373. Beyond the limit the value stays: a cosine would return.
    share = (1.0 + math.cos(math.pi * min(1.0, length / limit))) / 2.0
    right = score_correct(text, gold) == 1.0
    low, high = correct if right else wrong
    value = low + share * (high - low) if right else high - share * (high - low)
    return min(high, max(low, value))


def explain_cosine_length(
    text: str,
    gold: str,
    length: int,
    limit: int,
    *,
    correct: tuple[float, float],
    wrong: tuple[float, float],
) -> str:
    """Say what was read, the length, and what the longest and the shortest completion get."""
    longest, shortest = correct if score_correct(text, gold) else wrong[::-1]
    values = f"from {shortest:g} at 0 to {longest:g} at {limit}"
    return f"{explain_correct(text, gold)}, length {length}, {values}"
