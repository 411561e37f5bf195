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
STAGE_COLUMNS = {"warmup": ("question", "answer"), "thumbs": ("question", "answer", "thumb_up")}


def warmup_train_source() -> Dataset:
    """The rows of data/answers.jsonl."""
    return numbered(read_jsonl(HERE / "data/answers.jsonl"))


def warmup_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `warmup` learns from it; raises ValueError where it cannot be one."""
    return answered(row["question"], row["answer"])


def load_warmup_train() -> Dataset:
    """The rows of `warmup`: `prompt` and `completion` (messages), and `row_number`."""
    return converted(warmup_train_source(), warmup_row, STAGE_COLUMNS["warmup"])


def thumbs_train_source() -> Dataset:
    """The rows of data/thumbs.jsonl."""
    return numbered(read_jsonl(HERE / "data/thumbs.jsonl"))


def thumbs_eval_source() -> Dataset:
    """The rows of data/held_out.jsonl."""
    return numbered(read_jsonl(HERE / "data/held_out.jsonl"))


def thumbs_row(row: dict[str, Any]) -> dict[str, Any]:
    """A row as `thumbs` learns from it; raises ValueError where it cannot be one."""
    return answered(row["question"], row["answer"]) | {"label": label_of(row["thumb_up"])}


def load_thumbs_train() -> Dataset:
    """The rows of `thumbs`: `prompt` and `completion` (messages), `label`, and `row_number`."""
    return sound_labels(
        converted(thumbs_train_source(), thumbs_row, STAGE_COLUMNS["thumbs"])
    ).shuffle(seed=42)


def load_thumbs_eval() -> Dataset:
    """The held-out rows of `thumbs`: `prompt` and `completion` (messages), `label`, and `row_number`."""
    return sound_labels(
        converted(thumbs_eval_source(), thumbs_row, STAGE_COLUMNS["thumbs"])
    ).shuffle(seed=42)


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


def label_of(cell: object) -> bool:
    """Return true or false, also of the text or the number for it; raises ValueError for others."""
    match str(cell).strip().lower():
        case "true" | "1" | "1.0":
            return True
        case "false" | "0" | "0.0":
            return False
        case _:
            raise ValueError(f"the label {str(cell)[:40]!r} is neither true nor false")


def sound_labels(rows: Dataset) -> Dataset:
    """Return the rows whose answer says something; says how many are left out."""
    kept = rows.filter(says_something)
    if len(kept) < len(rows):
        print(f"{len(rows) - len(kept)} of {len(rows)} rows left out: the answer is empty")
    return kept


def says_something(row: dict[str, Any]) -> bool:
    """Return whether there is text in the answer of a row."""
    return any(turn["content"].strip() for turn in row["completion"])


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
