"""Leave out the preference pairs that teach nothing."""

from typing import Any

from datasets import Dataset


def sound_pairs(rows: Dataset) -> Dataset:
    """Return the pairs of two answers that say something, and not the same; says what is left out.

    Two equal answers change no weight, whatever the loss; an empty one teaches to say nothing.
    """
    kept = rows.filter(is_sound)
    if len(kept) < len(rows):
        dropped = f"{len(rows) - len(kept)} of {len(rows)} pairs left out"
        print(f"{dropped}: an answer is empty, or both are the same")
    if len(kept) == 0:
        raise SystemExit("no pair is left to learn from")
    return kept


def is_sound(row: dict[str, Any]) -> bool:
    """Return whether both answers say something, and not the same."""
    chosen, rejected = (
        "\n\n".join(turn["content"] for turn in row[name]).strip()
        for name in ("chosen", "rejected")
    )
    return bool(chosen and rejected) and chosen != rejected
