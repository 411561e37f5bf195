"""Pay for a length near a target."""


def score_length_target(length: int, target: int) -> float:
    """Pay 1.0 at the target length, falling evenly to 0.0 at nothing and at twice the target.

    Gamed by padding or cutting any text to the target: what is said is not looked at.
    """
    return max(0.0, 1.0 - abs(length - target) / target)


def explain_length_target(length: int, target: int) -> str:
    """Say how far the length is from the target."""
    return f"length {length}, target {target}"
