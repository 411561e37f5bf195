"""Compare sets."""

from collections.abc import Sequence


def same_set(answer: Sequence[object] | None, gold: Sequence[object] | None) -> bool:
    """Whether both have the same elements, in any order and however often.

    None is no list and equals nothing, and so does a list with an element of None.
    """
    if answer is None or gold is None or None in gold:
        return False
    return set(answer) == set(gold)
