"""The options of a row, in whatever form the data holds them, and the gold that names one."""

from collections import Counter

import pytest
from choice_parts import choice_parts
from fixed_option import fixed_option
from hypothesis import given
from hypothesis import strategies as st
from named_in import named_in
from options_of import options_of
from right_by_label import right_by_label
from right_by_position import right_by_position
from right_by_text import right_by_text
from shuffled_options import shuffled_options

OPTIONS = {"A": "red", "B": "green", "C": "blue"}


@pytest.mark.parametrize(
    "cell",
    [
        ["red", "green", "blue"],
        {"A": "red", "B": "green", "C": "blue"},
        {"text": ["red", "green", "blue"], "label": ["A", "B", "C"]},
    ],
)
def test_options_come_as_a_list_or_a_table(cell: object) -> None:
    assert options_of(cell) == OPTIONS


def test_an_empty_option_keeps_its_place() -> None:
    assert options_of(["red", None, " blue "]) == {"A": "red", "B": "", "C": "blue"}
    assert options_of({"1": 5, "2": 7.5}) == {"1": "5", "2": "7.5"}
    assert options_of(None) == options_of("red") == {}


def test_a_row_shows_its_options_and_the_right_one() -> None:
    assert choice_parts(OPTIONS, ["B"]) == {
        "options": "A. red\nB. green\nC. blue",
        "gold": "B. green",
        "gold_label": "B",
    }


def test_labels_of_the_data_become_letters_in_the_order_that_is_shown() -> None:
    parts = choice_parts({"3": "blue", "1": "", "2": "green"}, ["2"])
    assert parts["options"] == "A. blue\nB. green"
    assert parts["gold"] == "B. green"


@pytest.mark.parametrize(
    ("options", "right", "message"),
    [
        ({"A": "red"}, ["A"], "1 options"),
        ({"A": "red", "B": "red"}, ["A"], "twice"),
        (OPTIONS, ["A", "B"], "names 2 options"),
        (OPTIONS, [], "names 0 options"),
        (OPTIONS, ["Z"], "'Z', which is none"),
        ({"A": "red", "B": "", "C": "blue"}, ["B"], "'B', which is none"),
    ],
)
def test_a_row_without_one_right_option_is_refused(
    options: dict[str, str], right: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        choice_parts(options, right)


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("B", ["B"]),
        (2, ["2"]),
        ("A, C", ["A", "C"]),
        ("A;C", ["A", "C"]),
        ("A and C", ["A", "C"]),
        (["A", "C"], ["A", "C"]),
        ([1], ["1"]),
    ],
)
def test_a_gold_names_one_option_or_several(cell: object, names: list[str]) -> None:
    assert named_in(cell) == names


@pytest.mark.parametrize(
    ("cell", "right"),
    [("B", ["B"]), ("b", ["B"]), ("AC", ["A", "C"]), ("A,C", ["A", "C"]), ("Z", ["Z"]), ("", [""])],
)
def test_a_gold_is_a_label(cell: str, right: list[str]) -> None:
    assert right_by_label(cell, OPTIONS) == right


def test_a_gold_is_a_position_counted_from_0_or_1() -> None:
    for cell, right in [(0, "A"), ("2", "C"), (2.0, "C"), (3, "3"), (-1, "-1"), (None, "None")]:
        assert right_by_position(cell, OPTIONS, 0) == [right]
    for cell, right in [(1, "A"), ("3", "C"), (0, "0"), (4, "4")]:
        assert right_by_position(cell, OPTIONS, 1) == [right]
    assert right_by_position([0, 2], OPTIONS, 0) == ["A", "C"]


def test_a_gold_is_the_text_of_an_option() -> None:
    assert right_by_text(" green ", OPTIONS) == ["B"]
    assert right_by_text(["green", "blue"], OPTIONS) == ["B", "C"]
    assert right_by_text("yellow", OPTIONS) == ["yellow"]
    assert right_by_text("red, green", {"A": "red, green", "B": "x"}) == ["A"]


def test_a_number_means_one_of_fixed_options() -> None:
    assert fixed_option(1, ("no", "yes"), 0) == "yes"
    assert fixed_option("1", ("no", "yes"), 1) == "no"
    for cell in (2, -1, None, "yes"):
        with pytest.raises(ValueError, match="no position"):
            fixed_option(cell, ("no", "yes"), 0)


@given(st.dictionaries(st.text(min_size=1), st.text(min_size=1), min_size=2), st.text())
def test_shuffling_keeps_what_belongs_together(options: dict[str, str], seed: str) -> None:
    assert shuffled_options(options, seed) == options
    assert list(shuffled_options(options, seed)) == list(shuffled_options(options, seed))


def test_each_option_comes_to_each_place() -> None:
    first = Counter(next(iter(shuffled_options(OPTIONS, f"42-{row}"))) for row in range(300))
    assert set(first) == {"A", "B", "C"}
    assert min(first.values()) > 60


@pytest.mark.parametrize(
    "text", ["None of the above", "All of the above", "Both A and B", "A and B", "Neither"]
)
def test_an_option_that_speaks_of_others_stays_where_it_is(text: str) -> None:
    options = {**OPTIONS, "D": text}
    assert all(list(shuffled_options(options, str(seed))) == list(options) for seed in range(20))
