"""Leave out the labelled answers that say nothing."""

from typing import Any

from datasets import Dataset


def sound_labels(rows: Dataset) -> Dataset:
    """Return the rows whose answer says something; says how many are left out."""
    kept = rows.filter(says_something)
    if len(kept) < len(rows):
        print(f"{len(rows) - len(kept)} of {len(rows)} rows left out: the answer is empty")
    return kept


def says_something(row: dict[str, Any]) -> bool:
    """Return whether there is text in the answer of a row."""
    return any(turn["content"].strip() for turn in row["completion"])
