"""Leave out the labelled answers that say nothing."""

from datasets import Dataset


def sound_labels(rows: Dataset) -> Dataset:
    """Return the rows whose answer says something; exits where the label is no bool."""
    wrong = [row["row_number"] for row in rows.to_list() if not isinstance(row["label"], bool)]
    if wrong:
        listed = ", ".join(map(str, wrong[:10]))
        raise SystemExit(f"the label of {len(wrong)} rows is neither true nor false: {listed}")
    kept = rows.filter(
        lambda row: any((turn["content"] or "").strip() for turn in row["completion"])
    )
    if len(kept) < len(rows):
        print(f"{len(rows) - len(kept)} of {len(rows)} rows left out: the answer is empty")
    return kept
