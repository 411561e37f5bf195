"""Take a sample of the rows."""

import random

from datasets import Dataset


def sample(rows: Dataset, count: int, seed: int) -> Dataset:
    """Return `count` rows drawn with the seed, or all where there are fewer, in their order."""
    drawn = random.Random(seed).sample(range(len(rows)), min(count, len(rows)))
    return rows.select(sorted(drawn))
