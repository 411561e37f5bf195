"""Compare lists."""

from collections.abc import Sequence


def same_list(answer: Sequence[object] | None, gold: Sequence[object] | None) -> bool:
    """Whether both have the same elements in the same order.

    None is no list and equals nothing, and so does a list with an element of None.
    """
    return answer is not None and answer == gold and None not in answer
