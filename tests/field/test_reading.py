"""Reading of answers, on failures that people met: the number in a name is the case's."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.projects import SPEC, load, write_project

Grader = Callable[[str, str], bool]
NUMBER = 'compare = "number"'


@pytest.fixture
def grader(tmp_path: Path) -> Callable[..., Grader]:
    """Compiles an `[answer]` and grades as the project does: (completion, gold) -> right or not."""

    def made(answer: str) -> Grader:
        spec = SPEC.replace('extract = "xml"\ntag = "answer"', answer)
        spec = spec.replace('assistant = "<answer>{answer}</answer>"\n', "")
        spec = spec.replace('[stages.warmup]\nmethod = "sft"\nprompts_per_step = 2\n', "")
        spec = spec.replace('"warmup", "reasoning"', '"reasoning"')
        project = write_project(tmp_path / "project", spec)
        correct = load(project, "rewards").correct

        def right(completion: str, gold: str) -> bool:
            messages = [[{"role": "assistant", "content": completion}]]
            assert correct(completions=[completion], gold=[gold]) == correct(
                completions=messages, gold=[gold]
            )
            return correct(completions=[completion], gold=[gold]) == [1.0]

        return right

    return made


def test_field_2_a_list_is_no_number(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "after"\nmarker = "Answer:"\n{NUMBER}')
    assert not right("Answer: [8.124,12.852]", "12.852")
    assert not right("Answer: [8.124,12.852]", "8.124")
    right = grader('extract = "after"\nmarker = "Answer:"\ncompare = "list"\neach = "number"')
    assert right("Answer: [8.124,12.852]", "[8.124, 12.852]")
    assert not right("Answer: [8.124,12.853]", "[8.124, 12.852]")


def test_field_3_digit_groups_are_declared(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "last_number"\n{NUMBER}')
    for written in ("1 234", "1\u00a0234", r"1\,234", r"$1\,234$", "1,234"):
        assert right(f"It is {written}", "1234"), written
    assert not right("It is 1,00,000", "100000")
    assert not right("It is 1,00,000", "0")
    right = grader(f'extract = "last_number"\n{NUMBER}\ngrouping = "indian"')
    assert right("It is 1,00,000", "100000")


def test_field_5_an_amount_of_money(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "last_number"\n{NUMBER}')
    assert right("The answer is $1,234.00", "1234")
    assert not right("The answer is $1,234.00", "234")


def test_field_6_the_sign_counts(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "last_number"\n{NUMBER}')
    assert not right("5", "-5")
    assert right("-5", "-5")
    assert right(r"\boxed{-5}", "-5")
    assert right("+5", "5")


def test_field_8_every_minus_and_every_digit(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "last_number"\n{NUMBER}')
    for text in ("The answer is \u22125", "\\boxed{\u22125}", "\uff0d\uff15"):
        assert right(text, "-5"), text
        assert not right(text, "5"), text
    assert right("\uff11\uff12", "12")


def test_field_9_chatter_behind_the_answer_changes_nothing(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "after"\nmarker = "####"\n{NUMBER}')

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        st.text(
            st.characters(exclude_categories=["N", "Cs"], exclude_characters="#<"), max_size=500
        )
    )
    def appended(chatter: str) -> None:
        assert right(f"#### 42\n{chatter}", "42")

    appended()
    assert right("#### 42\n" + "and so on " * 1000, "42")


def test_field_11_braces_in_a_box_are_counted(grader: Callable[..., Grader]) -> None:
    right = grader('extract = "boxed"')
    assert right(r"\boxed{\frac{1}{3}}", r"\frac{1}{3}")
    assert right(r"\boxed{\frac{\sqrt{2}}{3}}", r"\frac{\sqrt{2}}{3}")


def test_field_12_a_box_that_is_taken_back(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "boxed"\n{NUMBER}')
    text = r"so \boxed{2} … no, that forgot the sign: \boxed{3}"
    assert right(text, "3")
    assert not right(text, "2")


def test_field_15_forms_of_a_box(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "boxed"\n{NUMBER}')
    assert all(right(text, "42") for text in (r"\fbox{42}", r"\boxed 42", r"\boxed{ 42 }"))
    assert not right(r"\boxed{42", "42")


def test_field_18_a_gold_that_cannot_be_read_pays_nobody(grader: Callable[..., Grader]) -> None:
    right = grader(f'extract = "last_number"\n{NUMBER}')
    for gold in ("", "see solution"):
        assert not any(right(text, gold) for text in ("", "5", gold, f"It is {gold}"))


def test_field_23_one_of_several_answers_is_not_enough(grader: Callable[..., Grader]) -> None:
    right = grader('extract = "boxed"\ncompare = "set"\neach = "number"\nseparator = "and"')
    assert not right(r"\boxed{1728}", "1331 and 1728")
    assert right(r"\boxed{1728 and 1331}", "1331 and 1728")


def test_field_26_a_marker_before_dollars(grader: Callable[..., Grader]) -> None:
    for compared in (NUMBER, 'compare = "text"', 'compare = "exact"'):
        right = grader(f'extract = "after"\nmarker = "Answer:"\n{compared}')
        for text in ("Answer: $13$", r"Answer: \(13\)", "answer\uff1a13"):
            assert right(text, "13"), (compared, text)


def test_field_27_a_completion_is_no_xml_and_an_answer_is_whole(
    grader: Callable[..., Grader],
) -> None:
    right = grader('extract = "xml"\ntag = "answer"')
    assert right("<think>x<3 & y</think><answer>5</answer>", "5")
    assert not right("<answer>15</answer>", "5")


def test_field_29_naming_every_label_wins_nothing(grader: Callable[..., Grader]) -> None:
    right = grader('extract = "xml"\ntag = "answer"\ncompare = "choice"\nseveral = "only"')
    assert not right("<answer>one of A, B, C</answer>", "B")
    assert not right("<answer>A</answer><answer>B</answer>", "B")
    assert right("<answer>B</answer>", "B")
    right = grader('extract = "choice"')
    for text in ("Answer: A, B, C", "Answer: one of A, B, C", "Answer: A or B", "A\nB\nC"):
        assert not any(right(text, label) for label in "ABC"), text


def test_field_30_letters_of_words_are_no_labels(grader: Callable[..., Grader]) -> None:
    for answer in (
        'extract = "choice"',
        'extract = "after"\nmarker = "ANSWER:"\ncompare = "choice"',
    ):
        right = grader(answer)
        assert not right("ANSWER: Doubtful", "D")
        assert not right("ANSWER: not above", "A")
        assert not right("ANSWER: None of the above", "N")


def test_field_32_what_is_named_behind_the_answer_changes_nothing(
    grader: Callable[..., Grader],
) -> None:
    right = grader('extract = "choice"')
    assert right("Answer is B. Many people pick A here.", "B")
    assert right("B is out, so my answer is D", "D")


def test_field_33_a_label_in_bold_in_dollars_in_a_box(grader: Callable[..., Grader]) -> None:
    right = grader('extract = "choice"')
    assert right("ANSWER: **A**", "A")
    assert right("ANSWER: $A$", "A")
    assert right(r"\boxed{\text{E}}", "E")
    assert right(r"\boxed{E: some text}", "E")


def test_field_41_an_answer_that_was_cut_off_is_none(grader: Callable[..., Grader]) -> None:
    cut_off = {
        'extract = "boxed"': r"so \boxed{42",
        'extract = "xml"\ntag = "answer"': "so <answer>42",
        'extract = "json"\npath = "answer"': 'so {"answer": "42"',
        'extract = "code"': "so ```\n42\n",
        'extract = "whole"': "<think>so 42",
        f'extract = "last_number"\n{NUMBER}': "<think>so 42",
    }
    for answer, text in cut_off.items():
        right = grader(answer)
        assert not right(text, "42"), answer
    whole = grader('extract = "json"\npath = "answer"')
    assert whole(json.dumps({"answer": "42"}), "42")
