"""How data.py cuts a cell and parts the rows."""

import pytest
from after import after
from before import before
from datasets import Dataset
from hold_out import hold_out
from hold_out_by import hold_out_by
from number_in import number_in
from sample import sample


def rows(count: int) -> Dataset:
    """Rows of three vendors."""
    return Dataset.from_dict(
        {"row_number": list(range(count)), "vendor": ["abc"[at % 3] for at in range(count)]}
    )


def test_a_cell_is_cut_at_the_last_mark() -> None:
    assert after("1 #### 2 #### 3 ", "####") == "3"
    assert before(" 1 #### 2 #### 3", "####") == "1 #### 2"


@pytest.mark.parametrize(("cell", "number"), [("3", 3), (3, 3), (" 3.0 ", 3), (0.5, 0.5)])
def test_a_cell_is_the_number_that_it_spells(cell: object, number: float) -> None:
    assert number_in(cell) == number


@pytest.mark.parametrize("cell", ["", None, "three", True, [3]])
def test_a_cell_without_a_number_meets_no_limit(cell: object) -> None:
    assert not number_in(cell) >= 0
    assert not number_in(cell) <= 0


@pytest.mark.parametrize("cut", [after, before])
def test_a_missing_mark_is_an_error_and_not_an_empty_cell(cut: object) -> None:
    assert callable(cut)
    with pytest.raises(ValueError, match="####"):
        cut("1 and 2", "####")


def test_a_sample_is_the_same_each_time_and_in_order() -> None:
    taken = sample(rows(100), 10, seed=1)["row_number"][:]
    assert taken == sample(rows(100), 10, seed=1)["row_number"][:]
    assert taken == sorted(taken)
    assert taken != sample(rows(100), 10, seed=2)["row_number"][:]
    assert len(set(taken)) == 10


def test_a_sample_of_more_than_there_are_is_all_of_them() -> None:
    assert sample(rows(3), 10, seed=1)["row_number"][:] == [0, 1, 2]


@pytest.mark.parametrize(("size", "count"), [(0.1, 10), (7, 7), (0.001, 1)])
def test_held_out_rows_and_the_others_are_all_rows(size: float, count: int) -> None:
    train, held_out = hold_out(rows(100), size, seed=1)
    assert len(held_out) == count
    assert sorted([*train["row_number"], *held_out["row_number"]]) == list(range(100))
    assert held_out["row_number"][:] == hold_out(rows(100), size, seed=1)[1]["row_number"][:]


def test_rows_of_one_value_are_held_out_together() -> None:
    train, held_out = hold_out_by(rows(30), "vendor", 0.4, seed=1)
    assert len(held_out) == 10
    assert not set(train["vendor"]) & set(held_out["vendor"])
    assert sorted([*train["row_number"], *held_out["row_number"]]) == list(range(30))


def test_a_holdout_that_leaves_a_part_empty_is_refused() -> None:
    with pytest.raises(SystemExit, match="leave none to train on"):
        hold_out(rows(5), 5, seed=1)
    with pytest.raises(SystemExit, match="no part of the 3 values of `vendor` holds 3 rows"):
        hold_out_by(rows(30), "vendor", 0.1, seed=1)
