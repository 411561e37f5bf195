"""Pay for a length that is not too large."""


def score_length_at_most(length: int, maximum: int) -> float:
    """Pay 1.0 up to the maximum length, falling evenly to 0.0 at twice the maximum.

    Gamed by saying nothing: an empty completion is paid in full.
    """
    return min(1.0, max(0.0, 2.0 - length / maximum))


def explain_length_at_most(length: int, maximum: int) -> str:
    """Say the length and the most that is paid in full."""
    return f"length {length}, at most {maximum}"
