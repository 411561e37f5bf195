"""The real solutions and golds of GSM8K, where they are at hand."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from compare_number import same_number
from end_tokens import without_end_tokens
from extract_after import after_marker
from extract_last_number import numbers_in
from first_of import first_of
from grouping_thousands import without_thousands
from last_of import last_of
from number import Number, parse_number
from only_of import only_of

DATA = Path(__file__).parents[3] / "shared" / "data" / "gsm8k"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the GSM8K data is not beside the repository"
)


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def number(text: str) -> Number | None:
    return parse_number(without_thousands(text))


@pytest.mark.parametrize("choose", [last_of, first_of, only_of])
def test_labels_of_real_solutions_are_reproduced_after_the_marker(
    choose: Callable[[list[str]], str | None],
) -> None:
    graded = rows("graded_completions.jsonl")
    assert len(graded) == 2640
    wrong: list[str] = []
    for row in graded:
        answer = choose(after_marker(without_end_tokens(row["completion"]), "A:"))
        paid = answer is not None and same_number(number(answer), number(row["gold"]))
        if paid != row["is_correct"]:
            wrong.append(row["completion"])
    assert wrong == []


def test_labels_of_real_solutions_are_reproduced_from_the_last_number() -> None:
    wrong: list[str] = []
    for row in rows("graded_completions.jsonl"):
        answer = last_of(numbers_in(without_end_tokens(row["completion"])))
        paid = answer is not None and same_number(number(answer), number(row["gold"]))
        if paid != row["is_correct"]:
            wrong.append(row["completion"])
    assert wrong == []


def test_every_gold_is_a_number_and_equals_itself() -> None:
    solutions = [row["answer"] for name in ("train.jsonl", "test.jsonl") for row in rows(name)]
    assert len(solutions) == 8792
    for solution in solutions:
        gold = last_of(after_marker(solution, "####"))
        assert gold is not None
        assert same_number(number(gold), number(gold))
        assert number(gold) == Number(Fraction(gold.replace(",", "")), percent=False)
