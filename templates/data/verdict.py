"""What a generator of reasoning-gym says of an answer."""

from generated_entry import generated_entry


def verdict(answer: str, made_by: str) -> float:
    """Return the mark of the generator's own verifier, from 0.0 to 1.0 for a right answer.

    A text that the verifier cannot read, and raises an error at, has no mark.
    """
    made_of, entry = generated_entry(made_by)
    try:
        mark = float(made_of.score_answer(answer, entry))
    except Exception:  # noqa: BLE001  # each verifier raises what its parser does
        return 0.0
    return min(1.0, max(0.0, mark))
