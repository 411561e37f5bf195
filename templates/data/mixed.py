"""Mix several sources in given shares."""

from datasets import Dataset
from joined import joined
from sample import sample


def mixed(sources: list[Dataset], shares: list[float], seed: int) -> Dataset:
    """Return rows of the sources in these shares, drawn and put in an order with the seed.

    There are as many as there can be without one twice: a source that is short for its share gives
    all of its rows, and the others as many as belong to these.
    """
    most = min(len(rows) / share for rows, share in zip(sources, shares, strict=True))
    parts = [
        sample(rows, round(most * share), seed) for rows, share in zip(sources, shares, strict=True)
    ]
    return joined(parts).shuffle(seed=seed)
