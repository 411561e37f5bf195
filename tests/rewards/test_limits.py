"""Rewards beside a limit of tokens."""

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from overlong import explain_overlong, score_overlong

PIECES = Path(__file__).parents[2] / "templates" / "rewards"
CORRECT, WRONG = (0.5, 1.0), (-1.0, -0.5)


def loaded(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, PIECES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def cosine() -> ModuleType:
    """Return the piece `cosine_length`, above an `answers` module that reads what follows `=`."""
    answers = ModuleType("answers")
    vars(answers)["read_answer"] = lambda text: text.partition("=")[2] or None
    vars(answers)["same_answer"] = lambda answer, gold: answer == gold
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "answers", answers)
        patch.setitem(sys.modules, "correct", loaded("correct"))
        return loaded("cosine_length")


def test_the_soft_punishment_of_dapo() -> None:
    assert [score_overlong(n, 80, 100) for n in (0, 80, 81, 90, 99, 100, 101, 10**6)] == [
        *(0.0, 0.0, -0.05, -0.5, -0.95, -1.0, -1.0, -1.0)
    ]
    assert [score_overlong(n, 0, 20) for n in (0, 10, 20)] == [0.0, -0.5, -1.0]
    assert math.copysign(1.0, score_overlong(0, 80, 100)) == 1.0
    assert explain_overlong(90, 80, 100) == "length 90, the penalty grows from 80 to 100"


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**5), st.data())
def test_a_longer_completion_is_never_punished_less(
    length: int, other: int, limit: int, data: st.DataObject
) -> None:
    free = data.draw(st.integers(0, limit - 1))
    short, long = sorted((length, other))
    assert -1.0 <= score_overlong(long, free, limit) <= score_overlong(short, free, limit) <= 0


def test_right_and_wrong_answers_go_along_a_cosine(cosine: ModuleType) -> None:
    def score(text: str, length: int) -> float:
        return cosine.score_cosine_length(text, "5", length, 1000, correct=CORRECT, wrong=WRONG)

    assert [score("=5", n) for n in (0, 500, 1000, 4096)] == [1.0, 0.75, 0.5, 0.5]
    assert [score("=4", n) for n in (0, 500, 1000, 4096)] == [-1.0, -0.75, -0.5, -0.5]
    assert score("no answer", 4096) == -0.5
    assert cosine.explain_cosine_length("=5", "5", 9, 1000, correct=CORRECT, wrong=WRONG) == (
        "read `5`, gold `5`, length 9, from 1 at 0 to 0.5 at 1000"
    )
    assert cosine.explain_cosine_length("=4", "5", 9, 1000, correct=CORRECT, wrong=WRONG) == (
        "read `4`, gold `5`, length 9, from -1 at 0 to -0.5 at 1000"
    )


@given(
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(1, 10**5),
    st.lists(st.floats(-10, 10), min_size=4, max_size=4).map(sorted),
)
def test_every_right_answer_is_worth_at_least_every_wrong_one(
    cosine: ModuleType, length: int, other: int, limit: int, values: list[float]
) -> None:
    wrong, correct = (values[0], values[1]), (values[2], values[3])

    def score(text: str, length: int) -> float:
        return cosine.score_cosine_length(text, "5", length, limit, correct=correct, wrong=wrong)

    assert values[0] <= score("=4", length) <= values[1]
    assert values[2] <= score("=5", other) <= values[3]
    short, long = sorted((length, other))
    assert score("=5", short) >= score("=5", long)
    assert score("=4", short) <= score("=4", long)
