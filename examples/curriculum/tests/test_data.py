"""How a row becomes a prompt, a gold and an ideal completion, on the first rows of the data."""

from typing import Any

import pytest

import data
import probes
from answers import read_answer, same_answer
from prompts import build_messages, ideal_completion

ROLES = ["system", "user"]
PARTS = ("gold",)


@pytest.fixture(scope="module")
def train() -> list[dict[str, Any]]:
    """The first two training rows."""
    return data.load_train().select(range(2)).to_list()


def test_a_row_asks_in_the_turns_of_the_spec(train: list[dict[str, Any]]) -> None:
    for row in train:
        assert [message["role"] for message in row["prompt"]] == ROLES
        assert all(message["content"].strip() for message in row["prompt"])
        assert row["prompt"] == build_messages(row)


def test_no_row_and_no_column_of_the_source_is_lost(train: list[dict[str, Any]]) -> None:
    source = data.train_source()
    assert data.load_train()["row_number"][:] == source["row_number"][:]
    for row, before in zip(train, source.select(range(2)).to_list(), strict=True):
        assert set(row) == {*before, *PARTS, "prompt"}
        assert all(
            row[name] == cell for name, cell in before.items() if name not in (*PARTS, "prompt")
        )


def test_a_gold_is_text_and_equals_itself(train: list[dict[str, Any]]) -> None:
    for row in train:
        assert isinstance(row["gold"], str)
        assert same_answer(row["gold"], row["gold"])


def test_the_ideal_completion_is_read_as_the_gold(train: list[dict[str, Any]]) -> None:
    for row in train:
        answer = read_answer(ideal_completion(row))
        assert answer is not None
        assert same_answer(answer, row["gold"])


def test_crafted_completions_are_graded_as_the_spec_says(train: list[dict[str, Any]]) -> None:
    assert probes.self_test("train", train) == []


def test_sft_learns_the_ideal_completion_and_nothing_else(train: list[dict[str, Any]]) -> None:
    rows = data.to_prompt_completion(data.load_train())
    assert sorted(rows.column_names) == ["completion", "prompt"]
    assert rows[0]["completion"] == [{"role": "assistant", "content": ideal_completion(train[0])}]


def test_a_held_out_row_is_in_the_form_of_a_training_row(train: list[dict[str, Any]]) -> None:
    row = data.load_eval().select(range(1)).to_list()[0]
    assert [message["role"] for message in row["prompt"]] == ROLES
    assert {*PARTS, "prompt", "row_number"} <= set(row)


def test_every_row_is_either_trained_on_or_held_out() -> None:
    train = data.train_source()["row_number"][:]
    held_out = data.eval_source()["row_number"][:]
    assert sorted([*train, *held_out]) == data.all_rows()["row_number"][:]
