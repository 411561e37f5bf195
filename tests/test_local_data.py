"""The shape of a data file: what is counted, what is named, and what is said of a damaged one."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler import local_data
from compiler.local_data import DataError, Shape, is_text_encoding, may_have_column, shape_of


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fault_of(path: Path, delimiter: str | None = None, encoding: str = "utf-8") -> str:
    with pytest.raises(DataError) as raised:
        shape_of(path, delimiter, encoding)
    return str(raised.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.jsonl", '{"a": 1}\n\n  \n{"b": 2}\n'),
        ("rows.jsonl", '\ufeff{"a": 1}\r\n{"a": 2, "b": 3}'),
        ("rows.json", ' [{"a": 1}, {"b": [1, {}]}]\n'),
        ("rows.csv", 'a,b\n1,"two\nlines, and a comma"\n\n3,4\n'),
        ("rows.csv", "\ufeffa,b\r\n1,2\r\n3,4"),
        ("rows.csv", "a,b\r1,2\r3,4\r"),
        ("rows.tsv", "a\tb\n1\t2\n3\t4\n"),
        ("ROWS.CSV", "a,b\n1,2\n3,4\n"),
    ],
)
def test_columns_and_rows_are_found(name: str, content: str, tmp_path: Path) -> None:
    assert shape_of(written(tmp_path, name, content), None, "utf-8") == Shape(("a", "b"), 2)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.json"])
def test_a_file_in_another_encoding_is_read_when_it_is_named(name: str, tmp_path: Path) -> None:
    text = {"jsonl": '{"prix": "5 €"}\n', "csv": "prix\n5 €\n", "json": '[{"prix": "5 €"}]'}
    content = text[name.partition(".")[2]]
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        path = written(tmp_path, name, content.encode(encoding))
        assert shape_of(path, None, encoding) == Shape(("prix",), 1)
        path.unlink()
    path = written(tmp_path, name, content.encode("cp1252"))
    assert 'name its `encoding`, such as "cp1252"' in fault_of(path)
    path = written(tmp_path, f"wide-{name}", content.encode("utf-16"))
    assert 'name its `encoding`, such as "utf-16"' in fault_of(path)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.json"])
@pytest.mark.parametrize("content", ["", "\n", "\n \n"])
def test_an_empty_file_has_no_rows(name: str, content: str, tmp_path: Path) -> None:
    if (name, content) == ("rows.csv", "\n \n"):
        content = "\n\n"
    shape = shape_of(written(tmp_path, name, content), None, "utf-8")
    assert shape is not None
    assert shape.rows == 0


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("a.jsonl", '{"a": 1}\n{"a": \n', "line 2 is not JSON"),
        ("a.jsonl", '{"a": 1}\n\n[1]\n', "line 3 is a list"),
        ("a.jsonl", '"text"\n', "line 1 is not an object"),
        ("a.jsonl", '{"\\ud800": 1}\n', "lone surrogate"),
        ("a.jsonl", "[" * 100_000, "is a list"),
        ("a.jsonl", '{"a":' * 100_000, "line 1 is not JSON"),
        ("a.json", '{"a": 1}\n{"a": 2}\n', "named `.jsonl`"),
        ("a.json", '{"a": 1}', "not a list"),
        ("a.json", '[{"a": 1}, 2]', "element 1 is not an object"),
        ("a.json", "[" * 100_000, "not JSON"),
        ("a.csv", "a,b,a\n1,2,3\n", "`a` more than once"),
        ("a.csv", "a,,b\n1,2,3\n", "column 2 of its header has no name"),
        ("a.csv", "a,b\n1,2\n1,2,3\n", "line 3 has 3 cells, and the header 2"),
        ("a.csv", 'a,b\n1,"2"3\n', "line 2 is damaged"),
        ("a.csv", 'a,b\n1,"2\n', "damaged"),
        ("a.csv", "a,b\n1,2\0\n", "line 2 holds a NUL"),
        ("a.csv", b"a,b\n1,2\n\xff,2\n", "byte 0xff on line 3 is not utf-8"),
        ("a.parquet", "a,b\n", "not parquet"),
    ],
)
def test_a_damaged_file_is_told_by_its_line(
    name: str, content: str | bytes, fault: str, tmp_path: Path
) -> None:
    assert fault in fault_of(written(tmp_path, name, content))


def test_a_cell_may_be_longer_than_the_csv_module_allows(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", f"a\n{'x' * 1_000_000}\n")
    assert shape_of(path, None, "utf-8") == Shape(("a",), 1)


def test_only_the_first_rows_of_a_jsonl_file_are_parsed(tmp_path: Path) -> None:
    lines = ['{"a": 1}'] * local_data.PROBED_ROWS + ['{"late": 1, broken']
    path = written(tmp_path, "a.jsonl", "\n".join(lines))
    shape = shape_of(path, None, "utf-8")
    assert shape == Shape(("a",), local_data.PROBED_ROWS + 1, sampled=True)
    assert shape is not None
    assert may_have_column(path, "a", shape)
    assert may_have_column(path, "late", shape)
    assert not may_have_column(path, "never", shape)


def test_only_the_beginning_of_a_large_json_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_data, "WHOLE_JSON", 100)
    monkeypatch.setattr(local_data, "JSON_HEAD", 60)
    path = written(tmp_path, "a.json", json.dumps([{"a": 1, "b": "é"}] * 50))
    assert shape_of(path, None, "utf-8") == Shape(("a", "b"), None, sampled=True)
    assert "not a list" in fault_of(written(tmp_path, "b.json", json.dumps({"a": "x" * 200})))
    assert "first element" in fault_of(written(tmp_path, "c.json", "[" + "x" * 200))


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "a\n1\n")
    assert shape_of(path, None, "utf-8") == Shape(("a",), 1)
    written(tmp_path, "a.csv", "a\n1\n2\n")
    assert shape_of(path, None, "utf-8") == Shape(("a",), 2)


@pytest.mark.parametrize("encoding", ["hex", "nope", "rot13", "undefined", "", "é", "x" * 500])
def test_what_turns_no_bytes_into_text_is_no_encoding(encoding: str, tmp_path: Path) -> None:
    assert not is_text_encoding(encoding)
    assert "no encoding" in fault_of(written(tmp_path, "a.csv", "a\n1\n"), encoding=encoding)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=60) | st.text(alphabet='a1,"{}[]:\n\r\0é ', max_size=60),
    name=st.sampled_from(["a.jsonl", "a.json", "a.csv", "a.tsv", "a.parquet"]),
    delimiter=st.sampled_from([None, ",", ";", '"', "\n", " ", "é"]),
    encoding=st.sampled_from(["utf-8", "cp1252", "utf-16", "utf-7", "cp037", "iso2022_jp"]),
)
def test_any_content_has_a_shape_or_a_fault(
    content: bytes | str, name: str, delimiter: str | None, encoding: str, tmp_path: Path
) -> None:
    path = written(tmp_path, name, content if isinstance(content, bytes) else content.encode())
    try:
        shape = shape_of(path, delimiter, encoding)
    except DataError as fault:
        str(fault).encode()
    else:
        assert shape is None or shape.rows is not None
    path.unlink()
