"""Pairs that differ only behind what a stage reads of them."""

from typing import Any, cast

import pytest
from cut_alike import cut_alike

Row = dict[str, Any]


class Words:
    """A tokenizer of words, with a template that names each role."""

    def __init__(self) -> None:
        """Know no word yet."""
        self.known: dict[str, int] = {}

    def apply_chat_template(self, conversation: list[Row], **_options: object) -> str:
        """One word for the role, then those of the message."""
        return " ".join(f"{turn['role']} {turn['content']}" for turn in conversation)

    def encode(self, text: str, **_options: object) -> list[int]:
        """The number of each word."""
        return [self.known.setdefault(word, len(self.known)) for word in text.split()]


def pair(number: int, chosen: str, rejected: str) -> Row:
    return {
        "row_number": number,
        "prompt": [{"role": "user", "content": "one two three"}],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    }


@pytest.mark.parametrize(("limit", "alike"), [(6, [0, 1]), (7, [0]), (8, []), (100, [])])
def test_field_105_pairs_that_are_equal_after_the_cut_are_named(
    limit: int, alike: list[int]
) -> None:
    # Four words of the prompt and the role of the answer come before its first word.
    rows = [pair(0, "a b c", "a b d"), pair(1, "a b", "a c"), pair(2, "a", "b"), pair(3, "a", "a")]
    found = cut_alike("tone", rows, cast("Any", Words()), limit)
    listed = ", ".join(map(str, alike))
    count = f"{len(alike)} row{'s' if len(alike) > 1 else ''}"
    what = f"whose answers are the same in the first {limit} tokens (max_length)"
    assert found == ([f"warning: tone: {count} {what}: {listed}"] if alike else [])
