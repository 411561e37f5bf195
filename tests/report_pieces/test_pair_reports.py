"""What is said of preference pairs before they are trained on."""

from typing import Any

import pytest
from datasets import Dataset
from one_feature import one_feature
from pair_faults import pair_faults
from sound_pairs import sound_pairs
from swapped_pairs import swapped_pairs

Row = dict[str, Any]


def pair(number: int, prompt: str, chosen: str, rejected: str) -> Row:
    return {
        "row_number": number,
        "prompt": [{"role": "user", "content": prompt}],
        "chosen": [{"role": "assistant", "content": chosen}],
        "rejected": [{"role": "assistant", "content": rejected}],
    }


def pairs(*texts: tuple[str, str, str]) -> list[Row]:
    return [pair(number, *three) for number, three in enumerate(texts)]


SOUND = ("Where is my parcel?", "It left this morning.", "I cannot say.")


def test_sound_pairs_are_not_spoken_of() -> None:
    assert pair_faults("tone", pairs(SOUND, ("Is it open?", "Until six.", "No idea."))) == []


def test_field_105_equal_and_empty_pairs_are_named_and_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = pairs(
        SOUND,
        ("a", "the same", " the same\n"),
        ("b", "", "something"),
        ("c", "something", "  "),
        ("d", "", ""),
    )
    assert pair_faults("tone", rows) == [
        "warning: tone: 3 rows left out: an answer is empty: 2, 3, 4",
        "warning: tone: 1 row left out: both answers are the same: 1",
    ]
    assert sound_pairs(Dataset.from_list(rows))["row_number"][:] == [0]
    assert capsys.readouterr().out == (
        "4 of 5 pairs left out: an answer is empty, or both are the same\n"
    )


def test_where_no_pair_is_left_it_is_an_error() -> None:
    rows = pairs(("a", "same", "same"), ("b", "", "x"))
    assert pair_faults("tone", rows)[-1] == "error: tone: no pair is left to learn from"
    with pytest.raises(SystemExit, match="no pair is left"):
        sound_pairs(Dataset.from_list(rows))


def test_pairs_that_come_the_other_way_round_as_well_are_named() -> None:
    question, better, worse = SOUND
    rows = pairs(SOUND, (f" {question} ", worse, better), ("Another?", worse, better))
    assert pair_faults("tone", rows) == [
        "warning: tone: 2 rows whose pair another row holds the other way round: 0, 1"
    ]


def test_the_same_question_after_other_turns_is_another_prompt() -> None:
    first, second = pairs(SOUND, SOUND)
    second["prompt"] = [{"role": "system", "content": "Be brief."}, *second["prompt"]]
    assert pair_faults("tone", [first, second]) == []


def test_answers_that_repeat_the_prompt_or_hold_a_dialogue_are_named() -> None:
    question = "Where is the parcel that I ordered?"
    rows = pairs(
        (question, f"{question} It left this morning.", "I cannot say."),
        ("Hello!", "Hello! What can I do?", "Yes?"),
        ("Is it open?", "Until six.\n\nHuman: And then?\n\nAssistant: At nine.", "No idea."),
        ("Is it open?", "<|im_start|>Until six.", "No idea."),
        ("3 + 4", "Q: what\nA: 7", "The Human: Condition"),
    )
    assert pair_faults("tone", rows) == [
        "warning: tone: 1 row of which an answer begins with the prompt: 0",
        "warning: tone: 2 rows of which an answer holds marks of other turns: 2, 3",
    ]


def told_by(better: str, worse: str, exceptions: int = 0) -> list[Row]:
    """Pairs of forty different words, turned round in some rows."""
    rows = [
        (
            str(number),
            better.format(str(number * 7919 % 9973)),
            worse.format(str(number * 104729 % 9973)),
        )
        for number in range(40)
    ]
    turned = [(prompt, chosen, rejected) for prompt, rejected, chosen in rows[:exceptions]]
    return pairs(*turned, *rows[exceptions:])


@pytest.mark.parametrize(
    ("better", "worse", "feature"),
    [
        ("{} and so on and on", "{}", "`chosen` is the longer"),
        ("x{}", "x{} and so on and on", "`chosen` is the shorter"),
        ("Sure: {}", "Fine: {}", "only `chosen` begins with 'Sure'"),
        ("It is {} #### now", "It is {} **** now", "only `chosen` has '####'"),
        ("is {}", "is unknown{:.0s}", "only `chosen` has a digit"),
        ("as {}\n so", "as {}  so", "only `chosen` has a line break"),
        ("as q{}", "as Q{}", "only `rejected` has a capital letter"),
    ],
)
def test_pairs_that_one_feature_tells_apart_are_said(better: str, worse: str, feature: str) -> None:
    said = one_feature("tone", told_by(better, worse, exceptions=3))
    end = "in 92% of 40 pairs, so that little else need be learnt"
    assert f"warning: tone: {feature} {end}" in said
    assert one_feature("tone", told_by(better, worse, exceptions=20)) == []


def test_a_few_pairs_are_told_apart_by_chance() -> None:
    assert one_feature("tone", told_by("Sure: {}", "Fine: {}")[:19]) == []


def test_how_lengths_compare_is_always_printed(capsys: pytest.CaptureFixture[str]) -> None:
    one_feature("tone", pairs(SOUND, ("a", "x", "yy"), ("b", "x", "y"), ("c", "x", "yyy")))
    assert capsys.readouterr().out == (
        "tone  chosen is the longer answer in 25.0%, the shorter in 50.0% of pairs\n"
    )


def number_is_even(text: str, _row: Row) -> float | None:
    return 1.0 - int(text) % 2 if text.isdigit() else None


def even_chosen(even: int, odd: int) -> list[Row]:
    """Pairs whose chosen answer is even in some rows and odd in others."""
    return pairs(*[("?", "2", "1")] * even, *[("?", "1", "2")] * odd, *[("?", "1", "3")] * 4)


@pytest.mark.parametrize(
    ("even", "odd", "said"),
    [
        (96, 0, []),
        (
            0,
            96,
            ["error: tone: by `even` chosen scores below rejected in 96% of 100 pairs; swapped?"],
        ),
        (
            8,
            88,
            ["error: tone: by `even` chosen scores below rejected in 88% of 100 pairs; swapped?"],
        ),
        (36, 60, ["warning: tone: by `even` chosen scores below rejected in 60% of 100 pairs"]),
        (48, 48, []),
        (0, 19, []),
    ],
)
def test_field_107_a_score_tells_that_columns_are_swapped(
    even: int, odd: int, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    rows = even_chosen(even, odd)
    assert swapped_pairs("tone", rows, {"even": number_is_even}) == said
    shares = f"above rejected in {even} of {len(rows)} pairs, below in {odd}"
    assert capsys.readouterr().out == f"tone  even: chosen scores {shares}\n"


def test_an_answer_that_cannot_be_judged_says_nothing_of_its_pair() -> None:
    rows = pairs(*[("?", "odd", "2")] * 40)
    assert swapped_pairs("tone", rows, {"even": number_is_even}) == []
