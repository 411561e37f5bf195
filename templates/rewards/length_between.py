"""Pay for a length inside two limits."""


def score_length_between(length: int, minimum: int, maximum: int) -> float:
    """Pay 1.0 between the limits, falling evenly to 0.0 at nothing and at twice the maximum.

    Gamed by padding or cutting any text to the limits: what is said is not looked at.
    """
    return min(1.0, length / minimum, max(0.0, 2.0 - length / maximum))


def explain_length_between(length: int, minimum: int, maximum: int) -> str:
    """Say the length and the limits."""
    return f"length {length}, between {minimum} and {maximum}"
