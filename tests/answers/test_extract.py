"""What each way of reading an answer finds in a text."""

import pytest
from end_tokens import END_TOKENS, without_end_tokens
from extract_after import after_marker
from extract_boxed import boxed
from extract_last_number import numbers_in
from extract_regex import regex_answers
from extract_whole import whole_text
from extract_xml import xml_blocks
from first_of import first_of
from hypothesis import given
from hypothesis import strategies as st
from last_of import last_of
from only_of import only_of

PIECES = ("5", " ", "\n", "<answer>", "</answer>", "\\boxed{", "}", "{", "\\", "Answer:", "**")
PIECES += (
    "\\frac",
    "{,}",
    "\\,",
    ",",
    ".",
    "-",
    "/",
    "^",
    "%",
    "$",
    "\u00bd",
    "\u00b2",
    "\uff11",
    "<",
    "x",
)
model_text = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


@pytest.mark.parametrize("token", END_TOKENS)
def test_end_tokens_go_with_the_blanks_around_them(token: str) -> None:
    assert without_end_tokens(f" a <b> {token}\n{token} ") == "a <b>"
    assert without_end_tokens(f"{token} a") == f"{token} a"


@given(model_text)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = without_end_tokens(text)
    assert without_end_tokens(once) == once


def test_each_choice_of_several_answers() -> None:
    assert (last_of([]), first_of([]), only_of([])) == (None, None, None)
    assert (last_of(["1", "2"]), first_of(["1", "2"]), only_of(["1", "2"])) == ("2", "1", None)
    assert only_of(["1", "1"]) == "1"


@given(
    st.lists(st.sampled_from(["1", "2", "3"]), max_size=5).flatmap(
        lambda found: st.tuples(st.just(found), st.permutations(found))
    )
)
def test_the_order_of_answers_means_nothing_where_only_one_may_be(
    orders: tuple[list[str], list[str]],
) -> None:
    assert only_of(orders[0]) == only_of(orders[1])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<answer> 5\n</answer>", ["5"]),
        ("<answer>1</answer> <answer>2</answer>", ["1", "2"]),
        ("<answer>1<answer>2</answer>", ["2"]),
        ("<answer>1</answer>2</answer>", ["1"]),
        ("<answer> </answer>", []),
        ("<answer>5", []),
        ("5</answer>", []),
        ("<answer>a < b & c</answer>", ["a < b & c"]),
        ("<answers>5</answers>", []),
    ],
)
def test_xml_blocks(text: str, found: list[str]) -> None:
    assert xml_blocks(text, "answer") == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"\boxed{\frac{\sqrt{2}}{3}}", [r"\frac{\sqrt{2}}{3}"]),
        (r"\boxed{1} and \fbox{2}", ["1", "2"]),
        (r"\boxed 42.", ["42"]),
        (r"$\boxed 42$", ["42"]),
        (r"\boxed{\boxed{5}}", ["5"]),
        (r"\boxed{\{1, 2\}}", [r"\{1, 2\}"]),
        (r"\boxed{\left\{1\right.}", [r"\left\{1\right."]),
        (r"\boxed{1 \boxed{2}", ["2"]),
        (r"} { \boxed{5}", ["5"]),
        (r"\boxed{ }", []),
        ("\\boxed{5\\", []),
        (r"\boxedx{5}", []),
    ],
)
def test_boxed(text: str, found: list[str]) -> None:
    assert boxed(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Answer: 5", ["5"]),
        ("**Answer:** 5", ["5"]),
        ("**Answer**: 5", ["5"]),
        ("**Answer: 5**", ["5"]),
        ("Answer:**5**", ["5"]),
        ("Answer: **5** apples", ["**5** apples"]),
        ("ANSWER : 2**3", ["2**3"]),
        ("NonAnswer: 5", []),
        ("Answer 5", []),
        ("Answer:\n5", []),
        ("Answer: 4. No, answer: 5\nDone.", ["4. No,", "5"]),
        ("answer\uff1a5\r\n", ["5"]),
    ],
)
def test_after_marker_with_a_colon(text: str, found: list[str]) -> None:
    assert after_marker(text, "Answer:") == found


def test_after_marker_takes_any_marker_literally() -> None:
    assert after_marker("#### 42\nprose", "####") == ["42"]
    assert after_marker("a ==> 42", "==>") == ["42"]
    assert after_marker("The answer is (x) 42", "(x)") == ["42"]
    assert after_marker("The answer is 42", "The answer is ") == ["42"]


def test_regex_answers_take_the_named_group() -> None:
    assert regex_answers("a=1; a= ; a=2", r"a=(?P<answer>[^;]*)") == ["1", "2"]
    assert regex_answers("<f>1\n2</f>", r"(?s)<f>(?P<answer>.*?)</f>") == ["1\n2"]
    assert regex_answers("ab", r"a(?P<answer>x)?b") == []


def test_whole_text() -> None:
    assert whole_text(" 5\n") == ["5"]
    assert whole_text(" \n") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 5.", ["5"]),
        ("It is -5, not +3", ["-5", "+3"]),
        ("\u22125 and \uff0d5", ["\u22125", "\uff0d5"]),
        ("$1,234.00, or -$5 or $-5", ["$1,234.00", "-$5", "$-5"]),
        ("28%, 28 percent, 28\\%", ["28%", "28 percent", "28\\%"]),
        (".5 and 1.5e3", [".5", "1.5e3"]),
        ("1.5 \\times 10^{3}!", ["1.5 \\times 10^{3}"]),
        ("1/2, 2 2/3 and 2\u00bd", ["1/2", "2 2/3", "2\u00bd"]),
        (r"$\frac{1}{2}$ or -2\frac{1}{2}", [r"$\frac{1}{2}", r"-2\frac{1}{2}"]),
        ("1\u00a0234, 1\\,234, 1{,}234, 1 234", ["1\u00a0234", "1\\,234", "1{,}234", "1 234"]),
        ("in 2020 100 people", ["2020", "100"]),
        ("\uff11\uff12", ["\uff11\uff12"]),
        ("**5** or __6__", ["5", "6"]),
        ("10 - 5 = 5", ["10", "5", "5"]),
        ("<<3*5=15>>15", ["3", "5", "15", "15"]),
    ],
)
def test_numbers_are_found_as_they_stand(text: str, found: list[str]) -> None:
    assert numbers_in(text) == found


@pytest.mark.parametrize(
    "text",
    ["1,23", "3-5", "3\u20135", "12:30", "1.2.3", "2024-01-02", "3/4/2024", "10^3", "1,00,000"],
)
def test_a_run_of_joined_digits_is_one_piece(text: str) -> None:
    assert numbers_in(f"It is {text}.") == [text]


@pytest.mark.parametrize("text", ["x-5", "GPT-4", "H2O", "x_1", "x_{12}", "m^2", "m^{2}"])
def test_digits_of_a_name_or_a_power_are_no_number(text: str) -> None:
    assert numbers_in(f"It is {text}.") == []


@given(model_text)
def test_reading_never_raises_and_never_finds_a_blank_answer(text: str) -> None:
    found = [
        *xml_blocks(text, "answer"),
        *boxed(text),
        *after_marker(text, "Answer:"),
        *after_marker(text, "####"),
        *regex_answers(text, r"(?s)<(?P<answer>.*?)>"),
        *numbers_in(text),
        *whole_text(text),
    ]
    assert all(answer and answer == answer.strip() for answer in found)


@given(st.text(st.characters(exclude_categories=["Nd", "Nl", "No"], exclude_characters="\\{}<>#")))
def test_prose_after_the_answer_changes_nothing(prose: str) -> None:
    assert last_of(after_marker(f"#### 42\n{prose}", "####")) == "42"
    assert last_of(boxed(f"\\boxed{{42}}\n{prose}")) == "42"
    assert last_of(xml_blocks(f"<answer>42</answer>\n{prose}", "answer")) == "42"
    assert last_of(numbers_in(f"It is 42\n\n{prose}")) == "42"


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{" * 100_000,
        "{" * 500_000,
        "<answer>" * 100_000,
        "Answer:" * 100_000,
        "1" * 1_000_000,
        "1,234" * 100_000,
        "1 234 " * 100_000,
        " " * 1_000_000,
        "\\frac{" * 100_000,
    ],
)
def test_a_megabyte_of_repetition_is_read_in_one_pass(text: str) -> None:
    without_end_tokens(text)
    xml_blocks(text, "answer")
    boxed(text)
    after_marker(text, "Answer:")
    numbers_in(text)
