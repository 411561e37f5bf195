"""Pay for the right answer."""

from answers import read_answer, same_answer


def score_correct(text: str, gold: str) -> float:
    """Pay 1.0 where an answer is read and equals the gold, else 0.0.

    Gamed by a guess: how the answer was reached is not looked at.
    """
    answer = read_answer(text)
    return 1.0 if answer is not None and same_answer(answer, gold) else 0.0


def explain_correct(text: str, gold: str) -> str:
    """Say what was read, and what the gold is."""
    answer = read_answer(text)
    read = "nothing" if answer is None else f"`{answer}`"
    return f"read {read}, gold `{gold}`"
