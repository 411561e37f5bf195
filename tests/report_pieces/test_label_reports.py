"""What is said of labelled answers before they are trained on."""

from typing import Any

import pytest
from datasets import Dataset
from label_faults import label_faults, label_weights
from sound_labels import sound_labels
from unpaired import unpaired

Row = dict[str, Any]


def labelled(*answers: tuple[str, str, bool]) -> list[Row]:
    return [
        {
            "row_number": number,
            "prompt": [{"role": "user", "content": prompt}],
            "completion": [{"role": "assistant", "content": answer}],
            "label": label,
        }
        for number, (prompt, answer, label) in enumerate(answers)
    ]


GOOD = ("Is it open?", "Until six.", True)
BAD = ("Is it open?", "No idea.", False)


def test_sound_labels_are_not_spoken_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert label_faults("tone", labelled(GOOD, BAD)) == []
    assert capsys.readouterr().out == "tone  1 wanted answers, 1 unwanted\n"


def test_empty_and_contradicting_answers_are_named() -> None:
    rows = labelled(GOOD, BAD, (*GOOD[:2], False), ("a", " ", True), ("b", "c", True))
    assert label_faults("tone", rows) == [
        "warning: tone: 1 row left out: the answer is empty: 3",
        "warning: tone: 2 rows with an answer that has both labels: 0, 2",
    ]


@pytest.mark.parametrize(("label", "missing"), [(True, "unwanted"), (False, "wanted")])
def test_one_kind_of_answer_alone_is_an_error(label: bool, missing: str) -> None:
    rows = labelled(("a", "b", label), ("c", "d", label), ("e", "", not label))
    error = f"error: tone: no {missing} answer, and KTO learns from both kinds"
    assert error in label_faults("tone", rows)


@pytest.mark.parametrize(
    ("wanted", "unwanted", "weights", "said"),
    [
        (10, 10, (1.0, 1.0), None),
        (10, 12, (1.0, 1.0), "desirable_weight from 1.20 to 1.60"),
        (12, 10, (1.0, 1.0), None),
        (10, 40, (1.0, 1.0), "desirable_weight from 4.00 to 5.33"),
        (10, 40, (4.0, 1.0), None),
        (10, 40, (5.3, 1.0), None),
        (10, 40, (1.0, 1.0), "undesirable_weight from 0.19 to 0.25"),
        (10, 40, (1.0, 0.2), None),
        (40, 10, (1.0, 1.0), "undesirable_weight from 3.00 to 4.00"),
    ],
)
def test_the_weights_make_up_for_unequal_numbers(
    wanted: int, unwanted: int, weights: tuple[float, float], said: str | None
) -> None:
    rows = labelled(*[GOOD] * wanted, *[BAD] * unwanted)
    found = label_weights("tone", rows, *weights)
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


def test_rows_without_an_answer_are_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = Dataset.from_list(labelled(GOOD, BAD, ("a", "  ", True)))
    assert sound_labels(rows)["row_number"][:] == [0, 1]
    assert capsys.readouterr().out == "1 of 3 rows left out: the answer is empty\n"


def test_a_pair_becomes_an_answer_of_each_kind() -> None:
    pair = {
        "row_number": 7,
        "prompt": [{"role": "user", "content": "Is it open?"}],
        "chosen": [{"role": "assistant", "content": "Until six."}],
        "rejected": [{"role": "assistant", "content": "No idea."}],
    }
    better, worse = unpaired(Dataset.from_list([pair])).to_list()
    assert better == {
        "prompt": pair["prompt"],
        "completion": pair["chosen"],
        "label": True,
        "row_number": 7,
    }
    assert (worse["completion"], worse["label"]) == (pair["rejected"], False)
