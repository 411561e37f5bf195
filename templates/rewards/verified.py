"""Pay what the verifier of a row's generator says."""

from verdict import verdict


def score_verified(answer: str | None, made_by: str | None) -> float | None:
    """Pay the mark of reasoning-gym's verifier, 1.0 for a right answer and a part for some others.

    Gamed by what a verifier pays for a wrong answer: many give a little to any text in the right
    form, and a part to a text that holds the answer among others. A row that no generator made gets
    None.
    """
    if made_by is None:
        return None
    return 0.0 if answer is None else verdict(answer, made_by)


def explain_verified(answer: str | None, made_by: str | None) -> str:
    """Say what was read, and what the verifier gives it."""
    if made_by is None:
        return "the row is of no generator"
    if answer is None:
        return "read nothing"
    return f"read `{answer}`, to which the verifier gives {verdict(answer, made_by):g}"
