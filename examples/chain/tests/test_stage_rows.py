"""Stages with rows of their own get the columns that their trainers read."""

import pytest

import data

LOADS = {"judge": (data.load_judge_train, ("prompt", "chosen", "rejected"))}


@pytest.mark.parametrize("stage", LOADS)
def test_a_row_has_what_the_trainer_reads(stage: str) -> None:
    load, columns = LOADS[stage]
    rows = load()
    assert {*columns, "row_number"} <= set(rows.column_names)
    assert all(rows[0][name] is not None for name in columns)
