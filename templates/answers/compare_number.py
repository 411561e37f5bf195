"""Compare numbers exactly."""

from number import Number


def same_number(answer: Number | None, gold: Number | None) -> bool:
    """Whether both are numbers and the same one; what is no number equals nothing."""
    return answer is not None and answer == gold
