"""Take away for text that repeats itself."""

from collections.abc import Hashable, Sequence


def score_repetition(items: Sequence[Hashable], size: int) -> float:
    """Take away the share of n-grams that stood there before, nothing below `size` items.

    Gamed by short completions, and by repeating with a change in every n-gram.
    """
    # Appendix C.2 of arXiv 2502.03373.
    count = len(items) - size + 1
    if count < 1:
        return 0.0
    different = set(zip(*(items[start:] for start in range(size)), strict=False))
    return len(different) / count - 1.0


def explain_repetition(items: Sequence[Hashable], size: int) -> str:
    """Say how many n-grams there are, and how many different ones."""
    count = max(0, len(items) - size + 1)
    different = set(zip(*(items[start:] for start in range(size)), strict=False))
    return f"{len(different)} different of {count} {size}-grams"
