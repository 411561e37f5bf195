"""The rows of this task: where they come from, what is kept, and how a row becomes a prompt.

`python data.py` reads every row and says what is wrong with it, before a GPU is paid for.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from datasets import Dataset

from readers import read_jsonl

HERE = Path(__file__).parent
# What a stage with rows of its own learns from.
STAGE_COLUMNS = {
    "warmup": ("customer", "answer"),
    "judge": ("customer", "good", "bad"),
    "tone": ("customer", "good", "bad"),
}


def warmup_train_source() -> Dataset:
    """The rows of data/answers.jsonl."""
    return numbered(read_jsonl(HERE / "data/answers.jsonl"))


def warmup_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `warmup` learns from it; raises ValueError where it cannot be one."""
    return answered(row["customer"], row["answer"])


def load_warmup_train() -> Dataset:
    """The rows of `warmup`: `prompt` and `completion` (messages), and `row_number`."""
    return converted(warmup_train_source(), warmup_row, STAGE_COLUMNS["warmup"])


def judge_train_source() -> Dataset:
    """The rows of data/pairs.jsonl."""
    return numbered(read_jsonl(HERE / "data/pairs.jsonl"))


def judge_eval_source() -> Dataset:
    """The rows of data/held_out.jsonl."""
    return numbered(read_jsonl(HERE / "data/held_out.jsonl"))


def judge_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `judge` learns from it; raises ValueError where it cannot be one."""
    return preference(row["customer"], row["good"], row["bad"])


def load_judge_train() -> Dataset:
    """The rows of `judge`: `prompt`, `chosen` and `rejected` (messages), and `row_number`."""
    return sound_pairs(converted(judge_train_source(), judge_row, STAGE_COLUMNS["judge"]))


def load_judge_eval() -> Dataset:
    """The held-out rows of `judge`: `prompt`, `chosen` and `rejected` (messages), and `row_number`."""
    return sound_pairs(converted(judge_eval_source(), judge_row, STAGE_COLUMNS["judge"]))


def tone_train_source() -> Dataset:
    """The rows of data/pairs.jsonl."""
    return numbered(read_jsonl(HERE / "data/pairs.jsonl"))


def tone_eval_source() -> Dataset:
    """The rows of data/held_out.jsonl."""
    return numbered(read_jsonl(HERE / "data/held_out.jsonl"))


def tone_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `tone` learns from it; raises ValueError where it cannot be one."""
    return preference(row["customer"], row["good"], row["bad"])


def load_tone_train() -> Dataset:
    """The rows of `tone`: `prompt`, `chosen` and `rejected` (messages), and `row_number`."""
    return sound_pairs(converted(tone_train_source(), tone_row, STAGE_COLUMNS["tone"]))


def load_tone_eval() -> Dataset:
    """The held-out rows of `tone`: `prompt`, `chosen` and `rejected` (messages), and `row_number`."""
    return sound_pairs(converted(tone_eval_source(), tone_row, STAGE_COLUMNS["tone"]))


def numbered(rows: Dataset) -> Dataset:
    """The rows with their position in the source, from 0, as `row_number`."""
    return rows.add_column("row_number", list(range(len(rows))))


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


def answered(prompt: object, completion: object) -> dict[str, list[dict[str, str]]]:
    """Return `prompt` and `completion` as messages."""
    asked = chat_messages(prompt, "user")
    return {"prompt": asked, "completion": answer_to(asked, completion)}


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
    import stage_report

    stage_report.main()
