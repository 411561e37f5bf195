"""Make labelled answers of preference pairs."""

from datasets import Dataset


def unpaired(rows: Dataset) -> Dataset:
    """Return each pair as two rows: the chosen answer labelled true, the rejected one false."""
    return Dataset.from_list(
        [
            {
                "prompt": row["prompt"],
                "completion": row[name],
                "label": name == "chosen",
                "row_number": row["row_number"],
            }
            for row in rows.to_list()
            for name in ("chosen", "rejected")
        ]
    )
