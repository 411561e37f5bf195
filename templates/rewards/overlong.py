"""Take away for a completion that comes near the limit."""


def score_overlong(length: int, free: int, limit: int) -> float:
    """Take away nothing up to `free` tokens, then evenly more, and 1.0 from the limit on.

    Gamed by short completions of any kind: what is said is not looked at.
    """
    # Equation 13 of DAPO (arXiv 2503.14476), whose buffer lies between `free` and the limit.
    if length <= free:
        return 0.0
    return -1.0 if length >= limit else (free - length) / (limit - free)


def explain_overlong(length: int, free: int, limit: int) -> str:
    """Say the length, and between which lengths the penalty grows."""
    return f"length {length}, the penalty grows from {free} to {limit}"
