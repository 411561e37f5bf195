"""Part the rows into those to train on and those held out."""

import random

from datasets import Dataset


def hold_out(rows: Dataset, size: float, seed: int) -> tuple[Dataset, Dataset]:
    """Return the rows to train on and those held out: a share below 1 of them, or so many."""
    wanted = max(1, round(size * len(rows))) if size < 1 else int(size)
    if wanted >= len(rows):
        raise SystemExit(f"{wanted} rows to hold out of {len(rows)} leave none to train on")
    held_out = set(random.Random(seed).sample(range(len(rows)), wanted))
    kept = [position for position in range(len(rows)) if position not in held_out]
    return rows.select(kept), rows.select(sorted(held_out))
