"""Part the rows into those to train on and those held out, with the rows of one value together."""

import random

from datasets import Dataset


def hold_out_by(rows: Dataset, column: str, size: float, seed: int) -> tuple[Dataset, Dataset]:
    """Return the rows to train on and those held out: a share below 1 of them, or so many.

    Rows with the same value of `column` are in one part together, so that the size is met only as
    nearly as whole values allow.
    """
    groups: dict[str, list[int]] = {}
    for position, value in enumerate(rows[column]):
        groups.setdefault(str(value), []).append(position)
    wanted = max(1, round(size * len(rows))) if size < 1 else int(size)
    held_out: list[int] = []
    for value in random.Random(seed).sample(list(groups), len(groups)):
        if len(held_out) + len(groups[value]) <= wanted:
            held_out += groups[value]
    if not held_out or len(held_out) == len(rows):
        raise SystemExit(f"no part of the {len(groups)} values of `{column}` holds {wanted} rows")
    kept = sorted(set(range(len(rows))) - set(held_out))
    return rows.select(kept), rows.select(sorted(held_out))
