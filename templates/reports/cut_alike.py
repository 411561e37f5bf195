"""Say which pairs differ only behind the length that a stage reads."""

from findings import Row, numbers_of, told
from transformers import PreTrainedTokenizerBase


def cut_alike(
    part: str, rows: list[Row], tokenizer: PreTrainedTokenizerBase, max_length: int
) -> list[str]:
    """Name the pairs whose first `max_length` tokens, those of the prompt included, are the same.

    TRL cuts both answers there, and two equal ones change no weight.
    """
    alike = [
        row
        for row in rows
        if row["chosen"] != row["rejected"]
        and encoded(row, "chosen", tokenizer)[:max_length]
        == encoded(row, "rejected", tokenizer)[:max_length]
    ]
    what = f"whose answers are the same in the first {max_length} tokens (max_length)"
    return told("warning", part, what, numbers_of(alike))


def encoded(row: Row, answer: str, tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """Return the prompt with one of its answers as the trainer reads them."""
    text = tokenizer.apply_chat_template(row["prompt"] + row[answer], tokenize=False)
    return tokenizer.encode(str(text), add_special_tokens=False)
