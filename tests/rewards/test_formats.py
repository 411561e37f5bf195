"""Rewards for the form of a completion: thinking, boxes, patterns, JSON."""

import re

import pytest
from boxed_format import explain_boxed_format, score_boxed_format
from completion_text import completion_text
from hypothesis import given
from hypothesis import strategies as st
from json_format import explain_json_format, score_json_format
from json_schema import explain_json_schema, score_json_schema
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry
from referencing.exceptions import Unresolvable
from regex_format import explain_regex_format, score_regex_format
from think_format import explain_think_format, score_think_format

THOUGHT = "<think>\na\nb\n</think>\n\n5"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (THOUGHT, None),
        ("  <think>a</think>5", None),
        ("<think>a <b> </thinker></think>5", None),
        ("", "`<think>` is missing"),
        ("5", "`<think>` is missing"),
        ("a</think>5", "`<think>` is missing"),
        ("<think>a", "`</think>` is missing"),
        ("<think>a</think>", "nothing follows `</think>`"),
        ("<think> \n</think>5", "the thinking is empty"),
        ("<think></think>5", "the thinking is empty"),
        ("So: <think>a</think>5", "there is text in front of it"),
        ("a</think><think>5", "`</think>` comes first"),
        ("<think>a</think><think>b</think>5", "`<think>` stands 2 times"),
        ("<think><think>a</think></think>5", "`<think>` stands 2 times"),
        ("<think>a</think>b</think>5", "`</think>` stands 2 times"),
        ("<Think>a</Think>5", "`<think>` is missing"),
    ],
)
def test_one_thinking_block_and_then_an_answer(text: str, fault: str | None) -> None:
    assert score_think_format(text) == (0.0 if fault else 1.0)
    assert explain_think_format(text) == (fault or "one thinking block, then an answer")


@given(st.lists(st.sampled_from(("<think>", "</think>", "a", " ", "\n", "5")), max_size=9))
def test_thinking_is_paid_exactly_where_a_strict_pattern_matches(parts: list[str]) -> None:
    text = "".join(parts)
    inside = r"(?:(?!</?think>).)*"
    pattern = rf"\s*<think>(?!\s*</think>){inside}</think>(?!\s*\Z){inside}"
    assert score_think_format(text) == (1.0 if re.fullmatch(pattern, text, re.DOTALL) else 0.0)


def test_thinking_that_trl_parsed_out_is_put_back() -> None:
    parsed = [{"role": "assistant", "reasoning_content": "a\nb", "content": "5"}]
    assert completion_text(parsed) == THOUGHT
    assert score_think_format(completion_text(parsed)) == 1.0
    opened = completion_text(parsed, opening="")
    assert opened == "a\nb\n</think>\n\n5"
    assert score_think_format("<think>" + opened) == 1.0
    assert completion_text([{"role": "assistant", "reasoning_content": "", "content": "5"}]) == "5"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (r"so \boxed{5}", None),
        (r"\fbox{5}", None),
        (r"\boxed{\frac{\sqrt{2}}{3}}", None),
        (r"\boxed 42", None),
        ("", r"`\boxed{}` is missing"),
        ("boxed{5}", r"`\boxed{}` is missing"),
        (r"\boxed{5", "the box is empty or is not closed"),
        (r"\boxed{ }", "the box is empty or is not closed"),
        (r"\boxed{2} no, \boxed{3}", r"`\boxed` stands 2 times"),
        (r"\boxed{2} no, \boxed{3", r"`\boxed` stands 2 times"),
    ],
)
def test_one_filled_box(text: str, fault: str | None) -> None:
    assert score_boxed_format(text) == (0.0 if fault else 1.0)
    assert explain_boxed_format(text) == (fault or "one filled box")


def test_a_pattern_has_to_match_the_whole_text() -> None:
    pattern = re.compile(r"<answer>\d+</answer>")
    assert score_regex_format("<answer>5</answer>", pattern) == 1.0
    assert score_regex_format("<answer>5</answer>!", pattern) == 0.0
    assert score_regex_format("So <answer>5</answer>", pattern) == 0.0
    assert explain_regex_format("<answer>5</answer>", pattern) == "the whole text matches"
    assert explain_regex_format("<answer>5</answer>!", pattern) == (
        "the pattern ends at character 18 of 19"
    )
    assert explain_regex_format("5", pattern) == "no match"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        ' {"a": [1, 2.5e3, null]}\n',
        "[]",
        '```json\n{"a": 1}\n```',
        '```\n{"a": 1}\n```',
        "~~~JSON\n[1]\n~~~",
        '````json\r\n{"a": "```"}\r\n````',
    ],
)
def test_json_alone_or_in_one_fence(text: str) -> None:
    assert score_json_format(text) == 1.0
    assert explain_json_format(text) == "a JSON object or array"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "no JSON"),
        ("5", "JSON, but no object or array"),
        ('"{}"', "JSON, but no object or array"),
        ("{'a': 1}", "no JSON"),
        ('{"a": 1,}', "no JSON"),
        ('{"a": NaN}', "no JSON: `NaN` is no JSON"),
        ('{"a": 1, "a": 2}', "no JSON: a key stands twice in an object"),
        ('Here: {"a": 1}', "no JSON"),
        ('{"a": 1} Done.', "no JSON"),
        ('```json\n{"a": 1}', "no JSON"),
        ('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', "no JSON"),
        ('```python\n{"a": 1}\n```', "no JSON"),
        ("[" * 100_000, "no JSON: it is nested too deeply"),
        (f"[{'1' * 5000}]", "no JSON"),
    ],
)
def test_what_is_no_json_is_named(text: str, fault: str) -> None:
    assert score_json_format(text) == 0.0
    assert explain_json_format(text).startswith(fault)


def validator(**schema: object) -> Draft202012Validator:
    return Draft202012Validator(schema, registry=Registry(), format_checker=FormatChecker())


def test_json_of_a_schema() -> None:
    invoice = validator(
        type="object",
        properties={"total": {"type": "number"}, "day": {"type": "string", "format": "date"}},
        required=["total"],
    )
    assert score_json_schema('{"total": 9.5}', invoice) == 1.0
    assert score_json_schema('```json\n{"total": 9.5, "day": "2024-02-29"}\n```', invoice) == 1.0
    assert score_json_schema('{"total": 9.5, "day": "2023-02-29"}', invoice) == 0.0
    assert score_json_schema('{"total": "9.5"}', invoice) == 0.0
    assert score_json_schema("9.5", invoice) == 0.0
    assert score_json_schema("", invoice) == 0.0
    assert explain_json_schema('{"total": 9.5}', invoice) == "JSON that the schema allows"
    assert explain_json_schema('{"total": "x"}', invoice) == "$.total: 'x' is not of type 'number'"
    assert explain_json_schema("{}", invoice) == "$: 'total' is a required property"
    assert explain_json_schema("{", invoice).startswith("no JSON: ")


def test_deep_json_under_a_schema_of_itself_is_not_paid() -> None:
    tree = validator(type="array", items={"$ref": "#"})
    assert score_json_schema("[[], [[]]]", tree) == 1.0
    assert score_json_schema("[" * 400 + "]" * 400, tree) == 0.0
    assert explain_json_schema("[" * 400 + "]" * 400, tree) == "it is nested too deeply"


def test_no_schema_is_fetched() -> None:
    far = validator(**{"$ref": "https://example.com/schema.json"})
    with pytest.raises(Unresolvable):
        score_json_schema("{}", far)
