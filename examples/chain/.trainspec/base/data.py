"""The rows of this task: where they come from, what is kept, and how a row becomes a prompt.

`python data.py` reads every row and says what is wrong with it, before a GPU is paid for.
"""

import itertools
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

from prompts import build_messages, ideal_completion
from readers import read_jsonl

HERE = Path(__file__).parent
COLUMNS = ("request", "reply")  # that a prompt, an ideal completion or a gold is made of
# What a stage with rows of its own learns from.
STAGE_COLUMNS = {"judge": ("request", "good", "bad")}
MAX_PROMPT_TOKENS = 512


def all_rows() -> Dataset:
    """The rows of data/requests.jsonl."""
    return numbered(read_jsonl(HERE / "data/requests.jsonl"))


def train_source() -> Dataset:
    """All rows but those held out."""
    return hold_out(all_rows(), 16, seed=42)[0]


def eval_source() -> Dataset:
    """Rows held out, drawn with a seed: 16 training rows."""
    return hold_out(all_rows(), 16, seed=42)[1]


def add_prompt(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its parts and its messages; raises ValueError where a cell is missing."""
    missing = [name for name in COLUMNS if row[name] is None]
    if missing:
        raise ValueError(f"row {row['row_number']} has nothing in {', '.join(missing)}")
    return row | {"prompt": build_messages(row)}


def load_train() -> Dataset:
    """The training rows: `prompt` (messages), the named parts and the source's own columns."""
    return train_source().map(add_prompt)


def load_eval() -> Dataset:
    """The held-out rows, in the form of the training rows."""
    return eval_source().map(add_prompt)


def judge_train_source() -> Dataset:
    """The rows of data/pairs.jsonl."""
    return numbered(read_jsonl(HERE / "data/pairs.jsonl"))


def judge_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `judge` learns from it; raises ValueError where it cannot be one."""
    return preference(build_messages(row | {"question": row["request"]}), row["good"], row["bad"])


def load_judge_train() -> Dataset:
    """The rows of `judge`: `prompt`, `chosen` and `rejected` (messages), and `row_number`."""
    return sound_pairs(converted(judge_train_source(), judge_row, STAGE_COLUMNS["judge"]))


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


def converted(
    rows: Dataset, convert: Callable[[dict[str, Any]], dict[str, Any]], columns: tuple[str, ...]
) -> Dataset:
    """Return what `convert` makes of each row, with its `row_number`.

    Raises ValueError with the number of a row that has nothing in one of `columns`, or that cannot
    be converted.
    """

    def convert_one(row: dict[str, Any]) -> dict[str, Any]:
        number = row["row_number"]
        if missing := [name for name in columns if row[name] is None]:
            raise ValueError(f"row {number} has nothing in {', '.join(missing)}")
        try:
            # A dict of its own: map would drop what a lazy row hands through unchanged.
            return {"row_number": number} | convert(dict(row))
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from error

    return rows.map(convert_one, remove_columns=rows.column_names)


def preference(prompt: object, chosen: object, rejected: object) -> dict[str, list[dict[str, str]]]:
    """Return `prompt`, `chosen` and `rejected` as messages."""
    asked = chat_messages(prompt, "user")
    return {
        "prompt": asked,
        "chosen": answer_to(asked, chosen),
        "rejected": answer_to(asked, rejected),
    }


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


def answer_to(prompt: list[dict[str, str]], cell: object) -> list[dict[str, str]]:
    """Return the messages of an answer, without the prompt where it begins with that.

    TRL would show the repeated messages twice. Raises ValueError where what remains is not the
    assistant's at its beginning and its end.
    """
    messages = chat_messages(cell, "assistant")
    if messages[: len(prompt)] == prompt:
        messages = messages[len(prompt) :]
    if not messages:
        raise ValueError("an answer has no message of its own")
    for turn in (messages[0], messages[-1]):
        if turn["role"] != "assistant":
            said = f"{turn['role']}: {turn['content'][:40]!r}"
            raise ValueError(f"an answer neither repeats the prompt nor is the assistant's: {said}")
    return messages


def chat_messages(cell: object, role: str) -> list[dict[str, str]]:
    """Return a list of messages as it stands, also one written as JSON; text is one of `role`.

    Raises ValueError where a message has no role or no text.
    """
    if cell is None:
        raise ValueError("no messages in it")
    messages = parsed_messages(cell)
    if messages is None:
        return [{"role": role, "content": str(cell)}]
    return [message(turn, number) for number, turn in enumerate(messages, start=1)]


def parsed_messages(cell: object) -> list[object] | None:
    """Return the elements of a list, or of JSON text of a list of objects; None for other text."""
    if isinstance(cell, list):
        return cell
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    try:
        elements = json.loads(cell)
    except ValueError:
        return None
    return elements if elements and all(isinstance(turn, dict) for turn in elements) else None


def message(turn: object, number: int) -> dict[str, str]:
    """Return the role and the text of one message, without what else it may hold."""
    match turn:
        case {"role": str(role), "content": str(content)}:
            return {"role": role, "content": content}
        case _:
            raise ValueError(f"message {number} has no text as its `role` or its `content`")


if __name__ == "__main__":
    import data_report

    data_report.main()
