"""What each built-in reward pays for, and what it says about it."""

import ast
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from completion_text import completion_text
from forbidden import explain_forbidden, score_forbidden
from hypothesis import given
from hypothesis import strategies as st
from length_at_least import explain_length_at_least, score_length_at_least
from length_at_most import explain_length_at_most, score_length_at_most
from length_between import explain_length_between, score_length_between
from length_target import explain_length_target, score_length_target
from xml_format import explain_xml_format, score_xml_format
from xml_tags import explain_xml_tags, score_xml_tags

PIECES = Path(__file__).parents[2] / "templates" / "rewards"
TAGS = ("think", "answer")
GOOD = "<think>\na\nb\n</think>\n<answer>5</answer>"
PARTS = ("<think>", "</think>", "<answer>", "</answer>", "a", " ", "\n", "<", "5")
layout_text = st.one_of(st.text(), st.lists(st.sampled_from(PARTS), max_size=12).map("".join))


def reply(content: str | None) -> list[dict[str, str | None]]:
    return [{"role": "assistant", "content": content}]


@pytest.fixture
def correct(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the piece `correct`, above an `answers` module that reads what follows `=`."""
    answers = ModuleType("answers")
    vars(answers)["read_answer"] = lambda text: text.partition("=")[2] or None
    vars(answers)["same_answer"] = lambda answer, gold: answer == gold
    monkeypatch.setitem(sys.modules, "answers", answers)
    spec = importlib.util.spec_from_file_location("correct", PIECES / "correct.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_case_65_both_shapes_of_a_completion_are_the_same_text() -> None:
    assert completion_text(GOOD) == completion_text(reply(GOOD)) == GOOD
    for nothing in ("", [], reply(None), reply(""), [{"role": "assistant"}]):
        assert completion_text(nothing) == ""
        assert score_xml_format(completion_text(nothing), TAGS) == 0.0
        assert score_xml_tags(completion_text(nothing), TAGS) == 0.0


def test_the_last_thing_that_the_assistant_said_counts() -> None:
    turns = [*reply("first"), {"role": "tool", "content": "3"}]
    assert completion_text(turns) == "first"
    assert completion_text([*turns, *reply("second"), *reply(None)]) == "second"
    assert completion_text([{"content": "no role"}]) == "no role"


def test_case_47_an_end_token_changes_no_score() -> None:
    text = "<think>a</think><answer>1</answer><|im_end|>"
    assert score_xml_format(completion_text(text), TAGS) == 1.0
    assert score_xml_format(completion_text(reply(text + "<|endoftext|>\n")), TAGS) == 1.0


def test_case_42_line_breaks_inside_the_tags() -> None:
    assert score_xml_format(GOOD, TAGS) == 1.0
    assert explain_xml_format(GOOD, TAGS) == "every tag once, in order"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<think>a</think><answer>1</answer></answer>", "`</answer>` stands 2 times"),
        ("<think>a</think><answer>1</answer><answer>2</answer>", "`<answer>` stands 2 times"),
        ("<think>a</think><answer> </answer>", "`<answer>` is empty"),
        ("<think><think>a</think></think><answer>1</answer>", "`<think>` stands 2 times"),
    ],
)
def test_case_44_repeated_empty_and_nested_tags(text: str, fault: str) -> None:
    assert score_xml_format(text, TAGS) == 0.0
    assert explain_xml_format(text, TAGS) == fault


def test_case_45_the_whole_block_twice() -> None:
    assert score_xml_format(GOOD * 2, TAGS) == 0.0
    assert score_xml_tags(GOOD * 2, TAGS) == 0.0


def test_case_48_an_opening_tag_that_the_prompt_holds_is_put_back_or_missed() -> None:
    text = "First\u2026\n</think>\n<answer>4</answer>"
    assert score_xml_format("<think>\n" + text, TAGS) == 1.0
    assert score_xml_format(text, TAGS) == 0.0
    assert explain_xml_format(text, TAGS) == "`<think>` is missing"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "`<think>` is missing"),
        ("<think>a</think><answer>1", "`</answer>` is missing"),
        ("<answer>1</answer><think>a</think>", "the tags are out of order"),
        ("<think>a<answer>1</answer></think>", "the tags are out of order"),
        ("<think>a<answer>b</think>1</answer>", "the tags are out of order"),
        ("</think>a<think><answer>1</answer>", "the tags are out of order"),
        ("So: <think>a</think><answer>1</answer>", "there is text before `<think>`"),
        ("<think>a</think>x<answer>1</answer>", "there is text before `<answer>`"),
        ("<think>a</think><answer>1</answer>!", "there is text after `</answer>`"),
    ],
)
def test_each_fault_of_a_layout_is_named(text: str, fault: str) -> None:
    assert score_xml_format(text, TAGS) == 0.0
    assert explain_xml_format(text, TAGS) == fault


@given(layout_text)
def test_a_layout_is_paid_exactly_where_a_strict_pattern_without_repeats_matches(text: str) -> None:
    block = r"\s*<{0}>(?!\s*</{0}>)((?!</?(?:think|answer)>).)*</{0}>\s*"
    pattern = "".join(block.format(tag) for tag in TAGS)
    paid = score_xml_format(text, TAGS)
    assert paid == (1.0 if re.fullmatch(pattern, text, re.DOTALL) else 0.0)
    assert (explain_xml_format(text, TAGS) == "every tag once, in order") == (paid == 1.0)


@pytest.mark.parametrize(
    ("text", "score", "explanation"),
    [
        (GOOD, 1.0, "every tag once"),
        ("</answer><answer></think><think>", 1.0, "every tag once"),
        ("", 0.0, "`<think>` 0 times, `</think>` 0 times, `<answer>` 0 times, `</answer>` 0 times"),
        ("<think>a</think> 5", 0.5, "`<answer>` 0 times, `</answer>` 0 times"),
        (GOOD + "</answer>", 0.75, "`</answer>` 2 times"),
        (
            GOOD * 3,
            0.0,
            "`<think>` 3 times, `</think>` 3 times, `<answer>` 3 times, `</answer>` 3 times",
        ),
    ],
)
def test_partial_credit_for_tags(text: str, score: float, explanation: str) -> None:
    assert score_xml_tags(text, TAGS) == score
    assert explain_xml_tags(text, TAGS) == explanation


@given(layout_text)
def test_partial_credit_stays_in_its_range_and_is_full_for_a_kept_layout(text: str) -> None:
    score = score_xml_tags(text, TAGS)
    assert 0.0 <= score <= 1.0
    assert score == 1.0 or score_xml_format(text, TAGS) == 0.0


def test_length_shapes() -> None:
    assert [score_length_target(n, 200) for n in (0, 100, 200, 300, 400, 4096)] == [
        *(0.0, 0.5, 1.0, 0.5, 0.0, 0.0)
    ]
    assert [score_length_at_least(n, 100) for n in (0, 50, 100, 999)] == [0.0, 0.5, 1.0, 1.0]
    assert [score_length_at_most(n, 100) for n in (0, 100, 150, 200, 999)] == [
        *(1.0, 1.0, 0.5, 0.0, 0.0)
    ]
    assert [score_length_between(n, 100, 200) for n in (0, 50, 100, 200, 300, 400, 999)] == [
        *(0.0, 0.5, 1.0, 1.0, 0.5, 0.0, 0.0)
    ]
    assert explain_length_target(150, 200) == "length 150, target 200"
    assert explain_length_at_least(150, 200) == "length 150, at least 200"
    assert explain_length_at_most(150, 200) == "length 150, at most 200"
    assert explain_length_between(150, 100, 200) == "length 150, between 100 and 200"


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 10**5), st.integers(0, 10**5))
def test_cases_59_and_60_length_scores_keep_their_range_and_their_order(
    length: int, other: int, minimum: int, more: int
) -> None:
    maximum = minimum + more
    for score in (
        lambda n: score_length_target(n, minimum),
        lambda n: score_length_at_least(n, minimum),
        lambda n: score_length_at_most(n, maximum),
        lambda n: score_length_between(n, minimum, maximum),
    ):
        assert 0.0 <= score(length) <= 1.0
    near, far = sorted((length, other), key=lambda n: abs(n - minimum))
    assert score_length_target(near, minimum) >= score_length_target(far, minimum)
    small, large = sorted((length, other))
    assert score_length_at_least(small, minimum) <= score_length_at_least(large, minimum)
    assert score_length_at_most(small, maximum) >= score_length_at_most(large, maximum)


def test_forbidden_text_is_a_penalty_and_is_named() -> None:
    patterns = (re.compile(r"(?i)\bas an ai\b"), re.compile("sorry"))
    assert score_forbidden("It is 5.", patterns) == 0.0
    assert score_forbidden("As an AI, sorry", patterns) == -1.0
    assert score_forbidden("sorry", patterns) == -1.0
    assert explain_forbidden("It is 5.", patterns) == "no pattern is found"
    assert explain_forbidden("As an AI", patterns) == r"`(?i)\bas an ai\b` matches `As an AI`"


def test_a_right_answer_is_paid_and_explained(correct: ModuleType) -> None:
    assert correct.score_correct("x=5", "5") == 1.0
    assert correct.score_correct("x=4", "5") == 0.0
    assert correct.score_correct("x", "5") == 0.0
    assert correct.explain_correct("x=4", "5") == "read `4`, gold `5`"
    assert correct.explain_correct("x", "5") == "read nothing, gold `5`"


@pytest.mark.parametrize("piece", sorted(PIECES.glob("*.py")), ids=lambda piece: piece.stem)
def test_every_score_says_what_it_pays_for_and_how_it_is_gamed(piece: Path) -> None:
    for statement in ast.parse(piece.read_text("utf-8")).body:
        if isinstance(statement, ast.FunctionDef) and statement.name.startswith("score_"):
            docstring = inspect.cleandoc(ast.get_docstring(statement) or "")
            paid, gamed = docstring.split("\n\n")
            assert len(paid.splitlines()) <= 2
            assert re.fullmatch(r"(Pay|Take) .*\.", paid, re.DOTALL)
            assert re.fullmatch(r"Gamed by .*\.", gamed, re.DOTALL)
