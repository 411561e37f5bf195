"""The rows of this task: where they come from, what is kept, and how a row becomes a prompt.

`python data.py` reads every row and says what is wrong with it, before a GPU is paid for.
"""

import itertools
import math
import random
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from prompts import build_messages, ideal_completion
from readers import read_jsonl

HERE = Path(__file__).parent
COLUMNS = (
    "question",
    "rationale",
    "answer",
)  # that a prompt, an ideal completion or a gold is made of
MAX_PROMPT_TOKENS = 512


def all_rows() -> Dataset:
    """The rows of data/train.jsonl."""
    return numbered(read_jsonl(HERE / "data/train.jsonl"))


def train_source() -> Dataset:
    """All rows but those held out."""
    return hold_out(all_rows(), 40, seed=42)[0]


def eval_source() -> Dataset:
    """Rows held out, drawn with a seed: 40 training rows."""
    return hold_out(all_rows(), 40, seed=42)[1]


def add_parts(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the parts that the spec names; raises ValueError where one cannot be cut out."""
    return row | {
        "gold": str(row["answer"]).strip(),
    }


def add_prompt(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its parts and its messages; raises ValueError where a cell is missing."""
    missing = [name for name in COLUMNS if row[name] is None]
    if missing:
        raise ValueError(f"row {row['row_number']} has nothing in {', '.join(missing)}")
    row = add_parts(row)
    return row | {"prompt": build_messages(row)}


def load_train() -> Dataset:
    """The training rows: `prompt` (messages), the named parts and the source's own columns."""
    return train_source().map(add_prompt)


def load_eval() -> Dataset:
    """The held-out rows, in the form of the training rows."""
    return eval_source().map(add_prompt)


def to_prompt_completion(rows: Dataset) -> Dataset:
    """`prompt` and `completion` messages, the form in which SFT learns the completion alone."""
    return rows.map(
        lambda row: {"completion": [{"role": "assistant", "content": ideal_completion(row)}]},
        remove_columns=[name for name in rows.column_names if name != "prompt"],
    )


def short_enough(rows: Dataset, tokenizer: PreTrainedTokenizerBase) -> Dataset:
    """The rows; exits where a prompt has over MAX_PROMPT_TOKENS tokens: TRL never shortens one."""
    too_long = rows.filter(lambda row: prompt_tokens(row["prompt"], tokenizer) > MAX_PROMPT_TOKENS)
    if len(too_long) > 0:
        numbers = ", ".join(map(str, too_long["row_number"][:10]))
        raise SystemExit(
            f"{len(too_long)} prompts have over {MAX_PROMPT_TOKENS} tokens, in rows {numbers}"
        )
    return rows


def prompt_tokens(prompt: list[dict[str, str]], tokenizer: PreTrainedTokenizerBase) -> int:
    """The length of a prompt in tokens, rendered as the model sees it."""
    return len(tokenizer.apply_chat_template(prompt, add_generation_prompt=True, return_dict=False))


def enough_for(prompts: int, rows: Dataset) -> Dataset:
    """The rows, enough to fill a step: with fewer TRL trains no step and reports no error."""
    if len(rows) < prompts:
        raise SystemExit(f"{len(rows)} rows are fewer than the {prompts} prompts of one step")
    return rows


def in_epochs(rows: Dataset, *, epochs: int = 1, prompts: int = 0, seed: int) -> Dataset:
    """The rows so many times over, or until there are so many prompts, in a new order each time.

    TRL would begin with the order of the first epoch again where a run is resumed in a later one.
    """
    order = random.Random(seed)
    times = max(epochs, math.ceil(prompts / len(rows)))
    orders = [order.sample(range(len(rows)), len(rows)) for _ in range(times)]
    return rows.select(itertools.chain.from_iterable(orders))


def numbered(rows: Dataset) -> Dataset:
    """The rows with their position in the source, from 0, as `row_number`."""
    return rows.add_column("row_number", list(range(len(rows))))


def hold_out(rows: Dataset, size: float, seed: int) -> tuple[Dataset, Dataset]:
    """Return the rows to train on and those held out: a share below 1 of them, or so many."""
    wanted = max(1, round(size * len(rows))) if size < 1 else int(size)
    if wanted >= len(rows):
        raise SystemExit(f"{wanted} rows to hold out of {len(rows)} leave none to train on")
    held_out = set(random.Random(seed).sample(range(len(rows)), wanted))
    kept = [position for position in range(len(rows)) if position not in held_out]
    return rows.select(kept), rows.select(sorted(held_out))


if __name__ == "__main__":
    import data_report

    data_report.main()
