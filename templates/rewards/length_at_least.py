"""Pay for a length that is not too small."""


def score_length_at_least(length: int, minimum: int) -> float:
    """Pay 1.0 from the minimum length on, below it the share of it that is reached.

    Gamed by padding: repeating anything reaches the minimum, and no length is too much.
    """
    return min(1.0, length / minimum)


def explain_length_at_least(length: int, minimum: int) -> str:
    """Say the length and the least that is paid in full."""
    return f"length {length}, at least {minimum}"
