"""Each way in which a weight moves, and the weights of a mix at a step."""

import math
from collections.abc import Sequence

import pytest
from adaptive import Adaptive
from cosine import Cosine
from hypothesis import given
from hypothesis import strategies as st
from linear import Linear
from step import Step
from weights_at import weights_at

NUMBERS = st.floats(0, 100)
TAMED = Adaptive(1.0, below=0.3, above=0.8, up=1.2, down=0.9, least=0.5, most=1.5)


@pytest.mark.parametrize(
    ("schedule", "steps", "weights"),
    [
        (Linear(0.0, 0.2, 4), (0, 1, 2, 4, 9), (0.0, 0.05, 0.1, 0.2, 0.2)),
        (Linear(1.0, 0.0, 2), (0, 1, 2), (1.0, 0.5, 0.0)),
        (Cosine(0.0, 1.0, 4), (0, 1, 2, 4, 9), (0.0, 0.5 - math.sqrt(0.5) / 2, 0.5, 1.0, 1.0)),
        (Step(0.5, 2.0, 3), (0, 2, 3, 9), (0.5, 0.5, 2.0, 2.0)),
    ],
)
def test_a_schedule_counts_its_steps_from_0(
    schedule: Linear | Cosine | Step, steps: Sequence[int], weights: Sequence[float]
) -> None:
    assert [schedule.at(step, ()) for step in steps] == pytest.approx(weights)


@given(NUMBERS, NUMBERS, st.integers(1, 50), st.integers(0, 100))
def test_a_schedule_stays_between_its_ends(start: float, end: float, steps: int, step: int) -> None:
    low, high = sorted((start, end))
    for schedule in (Linear(start, end, steps), Cosine(start, end, steps), Step(start, end, steps)):
        assert low - 1e-9 <= schedule.at(step, ()) <= high + 1e-9
        assert schedule.at(steps, ()) == pytest.approx(end)


@pytest.mark.parametrize(
    ("means", "weight"),
    [
        ((), 1.0),
        ((0.1,), 1.2),
        ((0.9,), 0.9),
        ((0.3,), 1.0),
        ((0.8,), 1.0),
        ((0.1, 0.9), 1.08),
        ((0.1,) * 9, 1.5),
        ((0.9,) * 9, 0.5),
        ((0.1,) * 9 + (0.9,), 1.35),
    ],
)
def test_an_adaptive_weight_follows_the_means(means: tuple[float, ...], weight: float) -> None:
    assert TAMED.at(123, means) == pytest.approx(weight)


def test_the_weights_of_a_mix_follow_steps_and_log() -> None:
    def right() -> None: ...
    def brief() -> None: ...
    def tidy() -> None: ...

    mix = {right: 2, brief: Linear(0.0, 1.0, 10), tidy: TAMED}
    log = [
        {"step": 2, "rewards/tidy/mean": 0.1, "rewards/brief/mean": 0.9},
        {"step": 2, "eval_rewards/tidy/mean": 0.9},
        {"step": 4, "rewards/tidy/mean": None},
        {"step": 6, "train_runtime": 1.0},
    ]
    assert weights_at(mix, 5, log) == pytest.approx([2.0, 0.5, 1.2])
    assert weights_at(mix, 0, []) == [2.0, 0.0, 1.0]
