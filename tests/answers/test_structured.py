"""Reading of thinking, JSON, code and choices, and taking off what dresses an answer."""

import json

import pytest
from answer_places import answer_places
from choice_label import label_of
from compare_choice import same_choice
from extract_choice import choices_in
from extract_code import code_blocks
from extract_json import json_answers
from extract_option import options_in
from final_text import final_text
from hypothesis import given
from hypothesis import strategies as st
from thinking import after_thinking, thinking_of
from undress import undressed

PIECES = ("<think>", "</think>", "A", "B.", "Answer:", "\\boxed{", "}", "\n", "```", "~~~", '"')
PIECES += (
    "{",
    "[",
    "]",
    ",",
    ":",
    "1",
    "**",
    "$",
    "\\text{",
    "\\(",
    "\\)",
    " or ",
    "is",
    "<|im_end|>",
)
model_text = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


@pytest.mark.parametrize(
    ("text", "said", "thought"),
    [
        ("5", "5", ""),
        ("<think>4</think>5", "5", "4"),
        ("\n<think>\n4\n</think>\n\n5", "5", "4"),
        ("4</think>5", "5", "4"),  # the prompt opened the block
        ("<think>4", "", "4"),
        ("5 <think>4", "", "5 <think>4"),
        ("<think>1</think>2<think>3</think>4", "4", "1</think>2<think>3"),
        ("<think>1</think>2<think>3", "", "1</think>2<think>3"),
        ("<think></think>5", "5", ""),
    ],
)
def test_what_is_said_and_what_is_only_thought(text: str, said: str, thought: str) -> None:
    assert after_thinking(text) == said
    assert thinking_of(text) == thought


def test_where_the_prompt_opens_the_block_all_is_thinking_until_it_closes() -> None:
    assert after_thinking("so 5", opened=True) == ""
    assert thinking_of("so 5", opened=True) == "so 5"
    assert after_thinking("so 5</think>6", opened=True) == "6"
    assert thinking_of("so 5</think>6", opened=True) == "so 5"


def test_end_tokens_and_thinking_go_together() -> None:
    assert final_text("<think>4</think> 5<|im_end|>\n<|endoftext|>") == "5"
    assert final_text("<think>4<|im_end|>") == ""
    assert final_text("5", opened=True) == ""


@given(model_text)
def test_what_is_said_is_an_end_of_the_text_and_stays_so(text: str) -> None:
    said = after_thinking(text)
    assert text.endswith(said)
    assert after_thinking(said) == said


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("**$5$**", "5"),
        ("`x`", "x"),
        ("$$x$$", "x"),
        (r"\(x\)", "x"),
        (r"\[ x \]", "x"),
        (r"\(\frac12\)", r"\frac12"),
        (r"\boxed{\text{E}}", "E"),
        (r"\text{a} + \text{b}", r"\text{a} + \text{b}"),
        (r"\mathbb{R}", r"\mathbb{R}"),
        ("$a$ and $b$", "$a$ and $b$"),
        ("**a** and **b**", "**a** and **b**"),
        ("$5", "$5"),
        ("*", "*"),
        ("****", "****"),
        ("__init__", "__init__"),
        ("", ""),
    ],
)
def test_only_what_wraps_a_whole_answer_is_taken_off(text: str, bare: str) -> None:
    assert undressed(text) == bare


@given(model_text)
def test_undressing_twice_changes_nothing(text: str) -> None:
    assert undressed(undressed(text)) == undressed(text)


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        ('{"total": 12.50}', ("total",), ["12.50"]),
        ('{"a": {"b": [1, {"c": "x y"}]}}', ("a", "b", 1, "c"), ["x y"]),
        ('{"a": [1, 2, 3]}', ("a", -1), ["3"]),
        ('{"a": [1]}', ("a", 1), []),
        ('{"a": {"b": 1.5}}', ("a",), ['{"b": 1.5}']),
        ('It is {"total": 5}, I think.', ("total",), ["5"]),
        ('{"total": 1} or rather {"total": 2}', ("total",), ["1", "2"]),
        ('```json\n{"total": 5}\n```\nSee [1] and {"total": 6}.', ("total",), ["5"]),
        ("```python\nx = {}\n```\n", (), ["{}"]),
        ('a set {1, 2} and {"total": 5}', ("total",), ["5"]),
        ('{"total": true}', ("total",), ["true"]),
        ('{"total": null}', ("total",), []),
        ('{"total": ""}', ("total",), []),
        ('{"other": 5}', ("total",), []),
        ("[1, 2]", ("total",), []),
        ("[1, 2]", (), ["[1, 2]"]),
        ('{"total": NaN}', ("total",), []),
        ('{"total": 1, "total": 2}', ("total",), []),
        ('{"a": {"total": 1, "total": 1}, "total": 3}', ("total",), []),
        ('{"total": 1,}', ("total",), []),
        ("{'total': 1}", ("total",), []),
        ('{"broken": {"total": 1}, oops}', ("total",), []),
        ('{"items": [{"total": 1}, {"total": 2', ("total",), []),
        ('{"total": "cut of', ("total",), []),
        ('{"total": 1} and {"total": 2', ("total",), ["1"]),
        ("5", (), []),
        ("", (), []),
    ],
)
def test_json_is_found_by_the_standard(
    text: str, path: tuple[str | int, ...], found: list[str]
) -> None:
    assert json_answers(text, path) == found


def test_half_a_character_of_json_can_be_written() -> None:
    (found,) = json_answers(r'{"name": "a\ud83d"}', ("name",))
    assert found.encode() == b"a?"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_json_in_prose_is_read_as_it_was_written(value: object) -> None:
    text = json.dumps({"answer": value})
    (found,) = json_answers(f"I say: {text} and no more.", ())
    assert json.loads(found) == json.loads(text)


def test_brackets_that_begin_no_value_hide_none() -> None:
    assert json_answers("{" * 50_000 + ' [x] \\[ {y} {"a": 1} { ') == ['{"a": 1}']
    assert json_answers('[ ]{ }[null][-1]["x"][[]][{}]') == [
        *("[]", "{}", "[null]", "[-1]", '["x"]', "[[]]", "[{}]")
    ]


@pytest.mark.parametrize("text", ["[" * 50_000, '{"a":' * 10_000, '["' * 10_000, "[1," * 20_000])
def test_hostile_json_is_given_up(text: str) -> None:
    assert json_answers(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```python\nx = 1\n```", ["x = 1"]),
        ("```py title=a\nx = 1\n```", ["x = 1"]),
        ("``` {.python}\nx = 1\n```", ["x = 1"]),
        ("```Python\r\nx = 1\r\ny = 2\r\n```\r\n", ["x = 1\ny = 2"]),
        ("~~~python\nx = 1\n~~~~", ["x = 1"]),
        ("````python\n```\nx\n```\n````", ["```\nx\n```"]),
        ("```python\nx = '```'\n```", ["x = '```'"]),
        ("```python\n~~~\n```", ["~~~"]),
        ("  ```python\n    if x:\n        y\n  ```", ["  if x:\n      y"]),
        ("```python\n\n    x\n\n```", ["    x"]),
        ("```python\nx = 1", []),
        ("```python\na\n```\n```python\nb", ["a"]),
        ("```js\nx\n```", []),
        ("```\nx\n```", []),
        ("```python\n \n```", []),
        ("```python x```", []),
        ("x = 1", []),
    ],
)
def test_a_block_of_a_language(text: str, found: list[str]) -> None:
    assert code_blocks(text, ("python", "py", "python3")) == found


def test_any_block_counts_where_no_language_is_asked_for() -> None:
    assert code_blocks("```\na\n```\n~~~sql\nb\n~~~") == ["a", "b"]


CHOSEN = [
    *("ANSWER: B", "**B**", "(B)", "B", "b", "B.", "B. Metformin", "**B**. Metformin", "$B$"),
    *(
        "Answer: **B**",
        "**Answer:** B",
        "**Answer: B**",
        "Answer - B",
        "answer\uff1ab",
        "ANSWER = B",
    ),
    *("The answer is (B).", "The correct option is B", "my answer is option B", "Answer: b)"),
    *(r"\boxed{B}", r"$\boxed{\text{B}}$", r"\boxed{B: some text}", r"\boxed{\text{(B) some}}"),
    *("Answer:\n\nB. Metformin", "## Answer\nB", "It is clear.\n\n(B)", "B\n\nBecause A fails."),
    *("The answer to this question is B", "The answer is most likely B", "\u7b54\u6848\uff1aB"),
    *(
        "Answer is B. Many people pick A here.",
        "A is out, so my answer is B",
        "Answer: B (A is not)",
    ),
    *("The answer is B because A is wrong", "Answer: B, since C fails", "Answer: A\nNo. Answer: B"),
]
NOT_CHOSEN = [
    *(
        "Doubtful",
        "ANSWER: Doubtful",
        "ANSWER: not above",
        "None of the above",
        "B cells",
        "B-cell",
    ),
    *("Answer: B cells", "Answer: A or B", "Answer: A, B, C, D", "A/B", "Answer: A and B", ""),
    *("A. no\nB. yes", "The answer isn't B", "The answer is not B", "Both A and B", "U.S."),
    *("Answer: B\nWait. Answer: A or B",),
]


@pytest.mark.parametrize("text", CHOSEN)
def test_an_option_that_is_chosen(text: str) -> None:
    assert choices_in(text)[-1] == "B"
    assert same_choice(choices_in(text)[-1], "B. Metformin")


@pytest.mark.parametrize("text", NOT_CHOSEN)
def test_what_chooses_no_option(text: str) -> None:
    found = choices_in(text)
    assert not any(
        same_choice(answer, f"{letter}. x") for answer in found[-1:] for letter in "ABCD"
    )


@given(model_text)
def test_no_text_breaks_the_reading_of_choices(text: str) -> None:
    assert all(isinstance(place, str) for place in answer_places(text))
    for answer in choices_in(text):
        assert same_choice(answer, answer)
    assert label_of(text) in (None, *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_an_option_is_chosen_by_its_text() -> None:
    for text in (
        "Metformin",
        "Answer: Metformin.",
        r"\boxed{\text{metformin}}",
        "Answer: B Metformin",
    ):
        assert same_choice(choices_in(text)[-1], "B. Metformin"), text
    for text in ("Metformins", "A. Metformin", "Answer: Aspirin", "Metformin and more"):
        assert not same_choice(choices_in(text)[-1], "B. Metformin"), text


@pytest.mark.parametrize(
    "text",
    ["ANSWER: \uff22", "答案\uff1a\uff22。", "\uff08B\uff09", "Answer: B、二甲双胍", "答案是B。"],
)
def test_full_width_letters_and_chinese_marks_are_read(text: str) -> None:
    assert same_choice(choices_in(text)[-1], "B. Metformin")


def test_several_letters_with_chinese_marks_choose_none() -> None:
    assert not same_choice(choices_in("答案\uff1aB、C。")[-1], "B. Metformin")
    assert not same_choice(choices_in("ANSWER: \uff22 or \uff21")[-1], "B. Metformin")


@pytest.mark.parametrize("unit", ["ANSWER: ", "答案是", "answer=", "\\boxed{", "The answer is "])
def test_a_place_ends_where_the_next_begins(unit: str) -> None:
    """Else a model that says it over and over costs its length times its length."""
    places = answer_places(unit * 20_000 + "B")
    assert sum(map(len, places)) <= 20_000 * len(unit)
    assert places[-1] == "B"
    assert choices_in(unit * 20_000 + "B")[-1] == "B"


def test_texts_of_options_that_differ_in_case_or_sign_are_apart() -> None:
    assert same_choice("5 mW", "B. 5 mW")
    assert not same_choice("5 MW", "B. 5 mW")
    assert not same_choice("5", "B. -5")
    assert same_choice("E. coli", "B. E. coli")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("yes", ["yes"]),
        ("Yes.", ["yes"]),
        ("**YES**", ["yes"]),
        ("Answer: Yes, because it is", ["yes"]),
        ("The answer is not sure", ["not sure"]),
        ("Answer: yes or no", ["yes or no"]),
        ("Answer: nothing", []),
        ("Answer: no\nAnswer: yes", ["no", "yes"]),
        ("No.\nIt rains.", ["no"]),
        ("yes\nno", []),
        ("It rains.", []),
        (r"\boxed{\text{No}}", ["no"]),
    ],
)
def test_one_of_fixed_options(text: str, found: list[str]) -> None:
    assert options_in(text, ("yes", "no", "not sure")) == found
