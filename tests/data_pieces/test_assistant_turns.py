"""How conversations are parted into the turns that a model writes."""

import pytest
from assistant_turns import assistant_turns
from datasets import Dataset


def talk(*turns: tuple[str, str]) -> list[dict[str, str]]:
    """Messages of roles and contents."""
    return [{"role": role, "content": content} for role, content in turns]


def conversations(*messages: list[dict[str, str]]) -> Dataset:
    """Rows of conversations with their numbers."""
    return Dataset.from_list(
        [{"messages": turns, "row_number": number} for number, turns in enumerate(messages)]
    )


def test_each_turn_of_the_assistant_has_all_before_it_as_prompt() -> None:
    turns = talk(("system", "s"), ("user", "a"), ("assistant", "b"), ("user", "c"))
    turns += talk(("assistant", "d"))
    assert assistant_turns(conversations(turns)).to_list() == [
        {"prompt": turns[:2], "completion": turns[2:3], "row_number": 0},
        {"prompt": turns[:4], "completion": turns[4:], "row_number": 0},
    ]


def test_what_the_assistant_does_not_answer_is_left_out_and_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    silent = talk(("user", "a"), ("assistant", " "))
    open_turn = talk(("user", "a"), ("assistant", "b"), ("user", "c"))
    alone = talk(("assistant", "hello"))
    found = assistant_turns(conversations(silent, open_turn, alone))
    assert found["row_number"] == [1]
    assert "2 of 3 rows left out" in capsys.readouterr().out
