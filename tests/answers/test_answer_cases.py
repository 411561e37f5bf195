"""Reading and comparing, on failures that people met: the number in a name is the case's."""

import threading

from compare_exact import same_exact
from compare_number import same_number
from end_tokens import without_end_tokens
from extract_after import after_marker
from extract_boxed import boxed
from extract_last_number import numbers_in
from extract_xml import xml_blocks
from grouping_indian import without_lakhs
from grouping_thousands import without_thousands
from last_of import last_of
from number import parse_number
from only_of import only_of
from percent_scale import percent_as_share
from percent_strip import percent_dropped


def same(answer: str | None, gold: str) -> bool:
    """Compare as a project with `compare = "number"` and nothing else does."""
    if answer is None:
        return False
    return same_number(
        parse_number(without_thousands(answer)), parse_number(without_thousands(gold))
    )


def last_boxed(text: str) -> str | None:
    return last_of(boxed(without_end_tokens(text)))


def last_number(text: str) -> str | None:
    return last_of(numbers_in(without_end_tokens(text)))


def test_case_2_commas_of_a_list_are_no_thousands() -> None:
    assert without_thousands("[8.124,12.852]") == "[8.124,12.852]"
    assert not same(last_number("[8.124,12.852]"), "12.852")


def test_case_3_groups_are_one_number_or_none() -> None:
    for answer in ("1\u00a0234", r"1\,234", r"$1\,234$", "1,234"):
        assert same(answer, "1234")
        assert same(last_number(f"It is {answer}"), "1234")
        assert not same(last_number(f"It is {answer}"), "234")
    assert not same("1,00,000", "100000")
    assert same_number(parse_number(without_lakhs("1,00,000")), parse_number("100000"))


def test_case_5_currency_with_cents() -> None:
    assert same(last_number("The answer is $1,234.00"), "1234")


def test_case_6_the_sign_counts() -> None:
    assert not same(last_number("5"), "-5")
    assert same(last_number("-5"), "-5")
    assert same(last_boxed(r"\boxed{-5}"), "-5")
    assert same(last_number("+5"), "5")


def test_case_8_every_minus_and_every_digit() -> None:
    for answer in (last_number("The answer is \u22125"), last_boxed("\\boxed{\u22125}")):
        assert same(answer, "-5")
        assert not same(answer, "5")
    assert same("\uff11\uff12", "12")


def test_case_9_chatter_after_the_answer() -> None:
    assert same(last_of(after_marker("#### 42\n" + "and so on " * 40, "####")), "42")


def test_case_11_braces_are_counted() -> None:
    assert last_boxed(r"\boxed{\frac{1}{3}}") == r"\frac{1}{3}"
    assert same(last_boxed(r"\boxed{\frac{1}{3}}"), "1/3")
    assert last_boxed(r"\boxed{\frac{\sqrt{2}}{3}}") == r"\frac{\sqrt{2}}{3}"


def test_case_12_a_retracted_box() -> None:
    text = r"so \boxed{2} ... no, that forgot the sign: \boxed{3}"
    assert same(last_boxed(text), "3")
    assert not same(last_boxed(text), "2")


def test_case_14_two_boxes_near_each_other() -> None:
    for between in ("Wrong; now", "word " * 60):
        assert same(last_boxed(rf"First \boxed{{5}}. {between} \boxed{{7}}."), "7")


def test_case_15_and_41_forms_of_a_box() -> None:
    for text in (r"\fbox{42}", r"\boxed 42", r"$\boxed42$", r"\boxed{ 42 }"):
        assert same(last_boxed(text), "42")
    assert last_boxed(r"\boxed{42") is None
    assert last_boxed("\u2026 \\boxed{42") is None


def test_case_17_latex_is_read_whole_or_not_at_all() -> None:
    assert not same("1", r"1-\sqrt{2}")
    assert parse_number(r"1-\sqrt{2}") is None
    assert same("9/7", r"\dfrac{9}{7}")


def test_case_18_a_gold_that_cannot_be_read_pays_nobody() -> None:
    for gold in ("", "see solution"):
        assert not same("42", gold)
        assert not same(gold, gold)
    assert not same_exact("", "")


def test_case_20_percent_by_policy() -> None:
    gold, plain, share, words = map(parse_number, ("28%", "28", "0.28", "28 percent"))
    for policy, paid in (
        (lambda number: number, (False, False, True)),
        (percent_dropped, (True, False, True)),
        (percent_as_share, (False, True, True)),
    ):
        answers = (plain, share, words)
        assert tuple(same_number(policy(answer), policy(gold)) for answer in answers) == paid


def test_case_21_mixed_numbers() -> None:
    for answer in ("2 2/3", last_number("It is 2 2/3"), last_boxed(r"\boxed{2\frac{2}{3}}")):
        assert not same(answer, "2")
        assert not same(answer, "2/3")
        assert same(answer, "8/3")
    assert same("11 5/6", "71/6")
    assert not same("4 10/3", "10")
    assert not same(last_number("4 10/3"), "10")


def test_case_23_and_24_several_answers_are_no_number() -> None:
    for gold in ("1331 and 1728", r"\{1,2\}", "1,2,3", r"a=1 \text{ or } a=-2"):
        assert not same(gold, gold)
        assert not same("1728", gold)
        assert not same("3", gold)


def test_case_26_math_delimiters_after_a_marker() -> None:
    for text in ("Answer: $13$", r"Answer: \(13\)", "answer\uff1a13"):
        assert same(last_of(after_marker(text, "Answer:")), "13")


def test_case_27_and_69_text_is_neither_xml_nor_searched_for_the_gold() -> None:
    text = "<think>x<3 & y</think><answer>5</answer>"
    assert same(last_of(xml_blocks(text, "answer")), "5")
    assert not same(last_of(xml_blocks("<answer>15</answer>", "answer")), "5")
    assert not same(last_number("there are 14 ways"), "4")
    assert not same("there are 14 ways", "14")


def test_case_29_listing_all_labels() -> None:
    for text in ("<answer>one of A, B, C</answer>", "<answer>A</answer><answer>B</answer>"):
        answer = only_of(xml_blocks(text, "answer"))
        assert answer is None or not same_exact(answer, "B")


def test_case_30_a_letter_is_not_the_first_of_a_word() -> None:
    answer = last_of(after_marker("ANSWER: Doubtful", "ANSWER:"))
    assert answer is not None
    assert not same_exact(answer, "D")


def test_case_35_grading_in_a_thread() -> None:
    paid: list[bool] = []
    thread = threading.Thread(target=lambda: paid.append(same(last_boxed(r"\boxed{5}"), "5")))
    thread.start()
    thread.join()
    assert paid == [True]


def test_case_38_and_39_nothing_is_evaluated() -> None:
    for answer in ("9**9**9**9", "10^10^10^10", "1e999999999", "\\pi + __import__('os').getpid()"):
        assert parse_number(answer) is None


def test_case_47_an_end_token_is_not_part_of_the_answer() -> None:
    text = without_end_tokens("Answer: 1<|im_end|>")
    assert last_of(after_marker(text, "Answer:")) == "1"


def test_case_174_every_form_with_its_own_reader() -> None:
    assert same(last_of(xml_blocks("<answer>42</answer>", "answer")), "42")
    assert same(last_of(after_marker("#### 42", "####")), "42")
    assert same(last_of(after_marker("####8", "####")), "8")
    assert same(last_number("so $42$"), "42")
    assert same(last_number("The answer is 42"), "42")
