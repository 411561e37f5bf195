"""Several sources: one after the other, or in shares, with rows that are numbered through."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.projects import SPEC, load, write_project


def rows_of(kind: str, count: int) -> str:
    """Rows of one file, which say where they come from."""
    return "".join(
        json.dumps({"question": f"{kind} {number}?", "answer": str(number), "kind": kind}) + "\n"
        for number in range(count)
    )


def mixed(folder: Path, sources: str, **files: str) -> Path:
    """A project whose training rows come from several sources."""
    return write_project(folder, SPEC.replace('{ path = "train.jsonl" }', sources), **files)


def test_shares_hold_and_no_row_comes_twice(tmp_path: Path) -> None:
    sources = '[{ path = "a.jsonl", share = 0.75 }, { path = "b.csv", share = 0.25 }]'
    table = "question,answer\n" + "".join(f"b {number}?,{number}\n" for number in range(40))
    project = mixed(tmp_path, sources, a__jsonl=rows_of("a", 30), b__csv=table)
    rows = load(project, "data").load_train().to_list()
    assert Counter(row["question"][0] for row in rows) == {"a": 30, "b": 10}
    assert len({row["row_number"] for row in rows}) == 40
    assert all(row["row_number"] >= 30 for row in rows if row["question"].startswith("b"))
    assert [row["question"][0] for row in rows] != sorted(row["question"][0] for row in rows)
    again = load(project, "data").load_train().to_list()
    assert again == rows
    page = (project / "PLAN.md").read_text()
    assert "a.jsonl (0.75 of the rows) and b.csv (0.25 of the rows)" in page
    assert "That leaves 40 rows to train on." in page


def test_without_shares_all_rows_are_taken_in_order(tmp_path: Path) -> None:
    sources = """[
  { path = "a.jsonl", rows = 3 },
  { path = "b.jsonl", where = { answer = { at_least = 2 } } },
]
eval = { holdout = 2 }"""
    files = {"a__jsonl": rows_of("a", 5), "b__jsonl": rows_of("b", 6)}
    data = load(mixed(tmp_path, sources, **files), "data")
    every = data.all_rows()["row_number"][:]
    assert every[3:] == [7, 8, 9, 10]
    assert len(every) == 7
    kept, held_out = data.load_train()["row_number"][:], data.load_eval()["row_number"][:]
    assert sorted([*kept, *held_out]) == every


def test_rows_that_are_shown_are_counted_through_the_sources(tmp_path: Path) -> None:
    spec = SPEC.replace("[answer]", "shots = { rows = [6] }\n[answer]")
    spec = spec.replace('{ path = "train.jsonl" }', '[{ path = "a.jsonl" }, { path = "b.jsonl" }]')
    files = {"a__jsonl": rows_of("a", 5), "b__jsonl": rows_of("b", 6)}
    data = load(write_project(tmp_path, spec, **files), "data")
    row = data.load_train()[0]
    assert row["prompt"][0] == {"role": "user", "content": "b 1?"}
    assert 6 not in data.load_train()["row_number"][:]


def test_sources_of_unlike_columns_end_the_run_with_a_reason(tmp_path: Path) -> None:
    other = '{"question": "b?", "answer": "1", "kind": 4}\n' * 3
    sources = '[{ path = "a.jsonl" }, { path = "b.jsonl" }]'
    project = mixed(tmp_path, sources, a__jsonl=rows_of("a", 5), b__jsonl=other)
    with pytest.raises(SystemExit, match="cannot be put together"):
        load(project, "data").load_train()
