"""Rows that a generator of reasoning-gym makes."""

import json
from typing import Any

from datasets import Dataset
from generated_entry import generated_entry


def generated_rows(name: str, rows: int, seed: int, **config: object) -> Dataset:
    """Return rows with `question`, `answer`, and in `reasoning_gym` how the row is made again.

    reasoning-gym makes row n from `seed` + n alone, so that sources whose seeds lie apart share no
    row. Not kept is an entry's metadata, which holds what a data set cannot.
    """
    made: list[dict[str, Any]] = []
    for number in range(rows):
        made_by = json.dumps(
            {"generator": {"name": name, "size": rows, "seed": seed, **config}, "entry": number}
        )
        _, entry = generated_entry(made_by)
        made.append(
            {
                "question": entry["question"],
                "answer": entry["answer"],
                "reasoning_gym": made_by,
            }
        )
    return Dataset.from_list(made)
