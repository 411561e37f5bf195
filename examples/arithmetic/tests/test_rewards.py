"""What each reward gives a right, a wrong, an empty and a malformed completion."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import rewards
from answers import same_answer
from data import load_train
from prompts import ideal_completion

Reward = Callable[..., list[float | None]]

STAGES = {"reasoning"}
RANGES: dict[Reward, tuple[float, float]] = {
    rewards.correct: (0.0, 1.0),
    rewards.xml_tags: (0.0, 1.0),
    rewards.well_formed: (0.0, 1.0),
}
# They give full marks to the ideal completion alone.
TELLING: tuple[Reward, ...] = (
    rewards.correct,
    rewards.xml_tags,
    rewards.well_formed,
)
# They take a plain text as well.
BOTH_SHAPES: tuple[Reward, ...] = (
    rewards.correct,
    rewards.xml_tags,
    rewards.well_formed,
)
CORRECT: tuple[Reward, ...] = (rewards.correct,)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Two training rows, with different golds where they have one."""
    first, *others = load_train().to_list()
    others = [row for row in others if not same_answer(row["gold"], first["gold"])]
    assert others, "there is no second training row with another gold"
    return [first, others[0]]


@pytest.fixture(scope="module")
def texts(rows: list[dict[str, Any]]) -> list[str]:
    """For the first row: a right, a wrong, an empty and a malformed completion."""
    return [ideal_completion(rows[0]), ideal_completion(rows[1]), "", "I cannot say"]


def as_messages(texts: list[str]) -> list[list[dict[str, str]]]:
    """Completions in the shape that TRL hands over where prompts are conversations."""
    return [[{"role": "assistant", "content": text}] for text in texts]


def pay(reward: Reward, completions: list[Any], row: dict[str, Any]) -> list[float | None]:
    """What a reward gives completions of one row, called as TRL does it."""
    columns = {name: [value] * len(completions) for name, value in row.items() if name != "prompt"}
    return reward(
        prompts=[row["prompt"]] * len(completions),
        completions=completions,
        completion_ids=[list(range(10))] * len(completions),
        trainer_state=None,
        log_extra=lambda column, values: None,
        log_metric=lambda name, value: None,
        **columns,
    )


@pytest.mark.parametrize("reward", RANGES)
def test_each_completion_gets_one_value_in_the_range(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    lowest, highest = RANGES[reward]
    values = pay(reward, as_messages(texts), rows[0])
    assert len(values) == len(texts)
    assert all(value is None or lowest <= value <= highest for value in values)


@pytest.mark.parametrize("reward", BOTH_SHAPES)
def test_messages_are_paid_as_their_text(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    assert pay(reward, as_messages(texts), rows[0]) == pay(reward, texts, rows[0])


@pytest.mark.parametrize("reward", TELLING)
def test_the_ideal_completion_is_paid_in_full_and_a_broken_one_is_not(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    right, _, empty, malformed = pay(reward, as_messages(texts), rows[0])
    assert right == RANGES[reward][1]
    assert empty != right
    assert malformed != right


@pytest.mark.parametrize("reward", CORRECT)
def test_only_the_right_answer_is_correct(
    reward: Reward, texts: list[str], rows: list[dict[str, Any]]
) -> None:
    assert pay(reward, as_messages(texts), rows[0])[1:] == [0.0, 0.0, 0.0]


def test_each_stage_pays_something() -> None:
    assert set(rewards.MIXES) == STAGES
    for mix in rewards.MIXES.values():
        assert set(mix) <= set(RANGES)
        assert all(math.isfinite(weight) and weight >= 0 for weight in mix.values())
        assert sum(mix.values()) > 0
