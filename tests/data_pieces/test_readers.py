"""What the readers of data.py make of files, good and damaged."""

from pathlib import Path

import pytest
from read_csv import read_csv
from read_json import read_json
from read_jsonl import read_jsonl


def written(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    """A file with this content."""
    path = folder / "rows"
    path.write_text(content, encoding=encoding, newline="")
    return path


def test_a_jsonl_row_keeps_text_that_looks_like_something_else(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "2024-01-01", "b": "007", "c": "NA"}\n')
    assert read_jsonl(path)[0] == {"a": "2024-01-01", "b": "007", "c": "NA"}


def test_a_jsonl_text_may_hold_a_line_separator(tmp_path: Path) -> None:
    path = written(tmp_path, '{"a": "one\u2028two\x85three"}\r\n\r\n{"a": "four"}')
    assert read_jsonl(path)["a"][:] == ["one\u2028two\x85three", "four"]


def test_a_byte_order_mark_is_no_part_of_the_first_row(tmp_path: Path) -> None:
    assert read_jsonl(written(tmp_path, '\ufeff{"a": "é"}\n'))["a"][:] == ["é"]
    assert read_json(written(tmp_path, '\ufeff[{"a": "é"}]'))["a"][:] == ["é"]
    assert read_csv(written(tmp_path, "\ufeffa\né\n"))["a"][:] == ["é"]


def test_a_column_that_only_a_later_row_has_is_kept(tmp_path: Path) -> None:
    rows = read_jsonl(written(tmp_path, '{"a": "1"}\n{"a": "2", "b": "3"}\n'))
    assert rows[:] == {"a": ["1", "2"], "b": [None, "3"]}


def test_numbers_among_text_become_text(tmp_path: Path) -> None:
    rows = read_jsonl(written(tmp_path, '{"a": 12}\n{"a": "1/2"}\n{"a": null}\n'))
    assert rows["a"][:] == ["12", "1/2", None]


def test_a_nan_is_nothing_and_no_text(tmp_path: Path) -> None:
    rows = read_jsonl(written(tmp_path, '{"a": NaN, "b": NaN}\n{"a": "yes", "b": 0.5}\n'))
    assert rows[:] == {"a": [None, "yes"], "b": [None, 0.5]}


def test_whole_numbers_stay_whole_beside_a_missing_one(tmp_path: Path) -> None:
    rows = read_jsonl(written(tmp_path, '{"a": 12}\n{"a": null}\n'))
    assert str(rows[0]["a"]) == "12"


def test_a_number_too_large_for_a_column_of_numbers_is_kept_as_text(tmp_path: Path) -> None:
    rows = read_jsonl(written(tmp_path, f'{{"a": 7}}\n{{"a": {10**30}}}\n'))
    assert rows["a"][:] == ["7", str(10**30)]


def test_parts_of_an_object_arrive_as_they_are(tmp_path: Path) -> None:
    path = written(tmp_path, '{"tests": [{"in": "1", "out": "2"}], "ok": true}\n')
    assert read_jsonl(path)[0] == {"tests": [{"in": "1", "out": "2"}], "ok": True}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}\n{"a": }\n', ":2: not JSON"),
        ('{"a": 1}\n\n[1]\n', ":3: not an object"),
        ('{"a": "x"}\n{"a": ["x"]}\n', "column `a` holds text (line 1), a list (line 2)"),
        ('{"a": [1, "x"]}\n', "rows: "),
        ('{"a": "\\ud800"}\n', "rows: "),
        ("\n", "no rows"),
    ],
)
def test_a_damaged_jsonl_file_is_refused_with_its_place(
    tmp_path: Path, content: str, message: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(SystemExit) as stop:
        read_jsonl(path)
    assert str(path) in str(stop.value)
    assert message in str(stop.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[{"a": 1},\n{"a": }]', ":2: not JSON"),
        ('{"a": 1}', "not a list of objects"),
        ("[]", "no rows"),
    ],
)
def test_a_damaged_json_file_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(SystemExit) as stop:
        read_json(written(tmp_path, content))
    assert message in str(stop.value)


def test_every_csv_cell_stays_text(tmp_path: Path) -> None:
    rows = read_csv(written(tmp_path, 'q,a\r\n"one, ""two""\nthree",12\n,NA\n\nx,007\n'))
    assert rows[:] == {"q": ['one, "two"\nthree', "", "x"], "a": ["12", "NA", "007"]}


def test_columns_may_be_parted_by_another_character(tmp_path: Path) -> None:
    rows = read_csv(written(tmp_path, "q\ta\n1,2\t3\n"), delimiter="\t")
    assert rows[0] == {"q": "1,2", "a": "3"}


def test_a_csv_cell_may_be_long(tmp_path: Path) -> None:
    assert len(read_csv(written(tmp_path, f"a\n{'x' * 200_000}\n"))["a"][0]) == 200_000


@pytest.mark.parametrize("encoding", ["latin-1", "gb18030", "utf-16"])
def test_another_encoding_is_read_where_it_is_named(tmp_path: Path, encoding: str) -> None:
    assert read_csv(written(tmp_path, "a\né\n", encoding), encoding=encoding)["a"][0] == "é"


@pytest.mark.parametrize(
    ("encoding", "guess"),
    [("latin-1", ":3: not utf-8: it may be"), ("utf-16", "looks like utf-16")],
)
def test_another_encoding_is_named_in_the_refusal(
    tmp_path: Path, encoding: str, guess: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        read_csv(written(tmp_path, "a\nb\né\n", encoding))
    assert guess in str(stop.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q,a\n1,2\n1,2,3\n", ":3: 3 cells, and the header has 2"),
        ("q,a\n1\n", ":2: 1 cells, and the header has 2"),
        ("q,q\n1,2\n", ":1: a column has no name"),
        ("q,\n1,2\n", ":1: a column has no name"),
        ('q,a\n1,"2\n', ":2: "),
        ("", "no rows"),
        ("q,a\n", "no rows"),
    ],
)
def test_a_damaged_csv_file_is_refused_with_its_place(
    tmp_path: Path, content: str, message: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        read_csv(written(tmp_path, content))
    assert message in str(stop.value)
