"""Cases of data sets: what spreadsheets, encodings, duplicates and twin columns do to rows."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from compiler.local_data import DataError, shape_of
from tests.projects import SPEC, load, write_project

CSV_SPEC = SPEC.replace('"train.jsonl"', '"train.csv"')


def table_of(rows: list[dict[str, Any]]) -> str:
    """Rows as a csv file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def report_on(project: Path) -> list[str]:
    """What the data report finds in the training rows."""
    report, data = load(project, "data_report"), load(project, "data")
    rows, findings = report.usable_rows("train", data.train_source())
    return [*findings, *report.check_part("train", rows, None, every_row=True)]


def sums(answers: list[str], column: str = "answer") -> list[dict[str, Any]]:
    """Rows that ask different things."""
    return [{"question": f"Q{at}?", column: answer} for at, answer in enumerate(answers)]


def test_field_125_an_empty_cell_leaves_the_numbers_of_its_column_as_they_are(
    tmp_path: Path,
) -> None:
    answers = ["12", "", "7", "007", "NA", "3"]
    project = write_project(tmp_path, CSV_SPEC, train__csv=table_of(sums(answers)))
    assert load(project, "data").train_source()["answer"][:] == answers
    found = report_on(project)
    assert "warning: train: 1 row with '' in `answer`: 1" in found
    assert "warning: train: 1 row with 'NA' in `answer`: 4" in found
    assert "error: train: 1 row with an empty gold: 1" in found


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "question,answer\na,1\ncafé,2\n".encode("latin-1"), "on line 3 is not utf-8"),
        ("a.jsonl", '{"question": "é"}\n'.encode("utf-16"), 'such as "utf-16"'),
        ("b.csv", "question,answer\n名前,1\n".encode("gbk"), "on line 2 is not utf-8"),
    ],
)
def test_field_126_a_file_in_another_encoding_is_named_with_its_line(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError) as found:
        shape_of(path, None, "utf-8")
    assert said in str(found.value)


def test_field_126_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    table = table_of(sums(["1", "2", "3"])).encode("utf-8-sig")
    project = write_project(tmp_path, CSV_SPEC, train__csv=table)
    assert load(project, "data").train_source().column_names[0] == "question"


def test_field_128_one_question_with_two_golds_is_an_error_and_with_one_a_warning(
    tmp_path: Path,
) -> None:
    rows = [*sums(["4", "5", "6"]), {"question": "Q0?", "answer": "5"}]
    rows += [{"question": "Q1?", "answer": "5"}]
    found = report_on(write_project(tmp_path, CSV_SPEC, train__csv=table_of(rows)))
    assert "error: train: 2 rows asking the same with different golds: 0, 3" in found
    assert "warning: train: 1 row asking what an earlier one asks: 4" in found


def test_field_129_a_column_without_anything_in_it_is_told_with_those_that_are_filled(
    tmp_path: Path,
) -> None:
    rows = [row | {"right": "10", "note": ""} for row in sums(["", "", ""], "solution")]
    spec = CSV_SPEC.replace('"answer" }', '"solution" }').replace("{answer}", "{gold}")
    found = report_on(write_project(tmp_path, spec, train__csv=table_of(rows)))
    said = "error: train: column `solution` is empty in all of 3 rows; filled in every row and not"
    assert f"{said} read: `right`" in found
