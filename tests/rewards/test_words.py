"""Rewards that look for words, and those for repetition and copying."""

import pytest
from contains import explain_contains, score_contains
from copying import explain_copying, prompt_text, score_copying
from hypothesis import given
from hypothesis import strategies as st
from keywords import explain_keywords, score_keywords
from reasoning_steps import explain_reasoning_steps, score_reasoning_steps, steps_in
from repetition import explain_repetition, score_repetition
from whole_words import missing_words
from words import words_of


@pytest.mark.parametrize(
    ("text", "needle", "is_there"),
    [
        ("it is 4.", "4", True),
        ("4", "4", True),
        ("(4)", "4", True),
        ("$4, say", "4", True),
        ("3-4", "4", True),
        ("x=4", "4", True),
        ("4 個", "4", True),
        ("4個", "4", True),
        ("there are 14 ways", "4", False),
        ("40", "4", False),
        ("1.4", "4", False),
        ("4.5", "4", False),
        ("4,000", "4", False),
        ("1,4", "4", False),
        ("it is -4", "4", False),
        ("x=-4", "4", False),
        ("it is \u22124", "4", False),
        ("it is \u22124", "-4", True),
        ("3-4", "-4", False),
        ("x4", "4", False),
        ("4th", "4", False),
        ("\uff14", "4", True),
        ("the cat sat", "cat", True),
        ("the cat\nsat", "cat sat", True),
        ("concatenate", "cat", False),
        ("cat_name", "cat", False),
        ("C++ is", "C++", True),
        ("\u732b\u3067\u3059", "\u732b", True),
        ("\uc11c\uc6b8\uc740 \ud06c\ub2e4", "\uc11c\uc6b8", True),
        ("anything", "", False),
        ("anything", "  ", False),
        ("", "4", False),
    ],
)
def test_words_of_their_own(text: str, needle: str, is_there: bool) -> None:
    assert missing_words(text, (needle,), fold=False) == ([] if is_there else [needle])


@given(st.text(), st.text())
def test_any_text_can_be_looked_for_in_any_other(text: str, needle: str) -> None:
    alone = missing_words(f" {needle} ", (needle,), fold=False)
    assert alone == ([] if needle.strip() else [needle])
    assert missing_words(text, (needle,), fold=True) in ([], [needle])


def test_all_needles_have_to_be_there() -> None:
    assert score_contains("6 kg, said Ann", ("6 kg", "Ann")) == 1.0
    assert score_contains("6 kg, said ann", ("6 kg", "Ann")) == 0.0
    assert score_contains("6 kg, said ann", ("6 kg", "Ann"), fold=True) == 1.0
    assert explain_contains("6 kg", ("6 kg", "Ann")) == "`Ann` missing"
    assert explain_contains("6 kg, Ann", ("6 kg", "Ann")) == "all of it is there"


def test_keywords_are_paid_by_their_share() -> None:
    words = ("because", "so that")
    assert score_keywords("Because it is", words, fold=True) == 0.5
    assert score_keywords("Because it is", words, fold=False) == 0.0
    assert score_keywords("because, so\nthat", words, fold=False) == 1.0
    assert explain_keywords("Because it is", words, fold=True) == "`so that` missing"
    assert explain_keywords("because, so that", words, fold=True) == "every keyword is there"


def test_repetition_is_the_share_of_ngrams_that_stood_before() -> None:
    assert score_repetition([1, 2, 3, 4], 2) == 0.0
    assert score_repetition([5, 5, 5, 5, 5], 2) == -0.75
    assert score_repetition([5, 5], 3) == 0.0
    assert score_repetition([], 3) == 0.0
    assert score_repetition(words_of("to be or not to be"), 2) == pytest.approx(-0.2)
    assert explain_repetition([5, 5, 5, 5, 5], 2) == "1 different of 4 2-grams"
    assert explain_repetition([], 2) == "0 different of 0 2-grams"


@given(st.lists(st.integers(0, 3)), st.integers(1, 5))
def test_repetition_stays_in_its_range_and_repeating_costs_more(
    items: list[int], size: int
) -> None:
    score = score_repetition(items, size)
    assert -1.0 < score <= 0.0
    assert score_repetition(items * 3, size) <= score + 1e-12


def test_copying_is_the_share_of_ngrams_of_the_prompt() -> None:
    prompt = [
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": "How many ways are there to sort four cards?"},
    ]
    assert prompt_text(prompt) == f"Answer briefly.\n{prompt[1]['content']}"
    assert prompt_text("plain") == "plain"
    assert prompt_text([{"role": "user"}]) == ""
    assert score_copying("Twenty-four.", prompt, 3) == 0.0
    assert score_copying("how many ways are there", prompt, 3) == -1.0
    assert score_copying("Many ways are cheap", prompt, 3) == -0.5
    assert score_copying("many ways are", "How many ways are there?", 3) == -1.0
    assert score_copying("", prompt, 3) == 0.0
    assert explain_copying("Many ways are cheap", prompt, 3) == (
        "1 copied, such as `many ways are`"
    )
    assert explain_copying("Twenty-four.", prompt, 3) == "nothing copied"


def test_chinese_and_japanese_characters_are_words() -> None:
    assert words_of("GPU\u3067\u5b66\u7fd2 it's") == [
        *("gpu", "\u3067", "\u5b66", "\u7fd2", "it", "s")
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("It is 5. And 6.", 0),
        ("Step 1: add\nStep 2: halve", 2),
        ("**Step 1: add**\n## Step 2\n", 2),
        ("1. add\n2) halve\n- so\n* then", 4),
        ("First, add.\nThen halve.\nFinally say it.", 3),
        ("Nextdoor\nFirstborn\n3.5 apples\n-5", 0),
        ("- same\n- same\n- same", 1),
        ("We first add, then halve.", 0),
        (f"  ### Step 1\n{' ' * 50_000}.", 1),
    ],
)
def test_lines_that_begin_a_step(text: str, count: int) -> None:
    assert len(steps_in(text)) == count
    assert score_reasoning_steps(text, 3) == min(1.0, count / 3)
    assert explain_reasoning_steps(text, 3) == f"{count} steps, at least 3"
