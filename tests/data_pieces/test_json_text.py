"""What is compared as JSON may be text, an object or a list, and keeps what it holds."""

from pathlib import Path

import pytest
from datasets import Dataset
from json_text import json_text
from read_json import read_json
from read_jsonl import read_jsonl
from with_json import with_json


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (' {"a": 1} ', ' {"a": 1} '),
        ({"a": 1, "b": [True, "é"]}, '{"a": 1, "b": [true, "é"]}'),
        ({"a": {"b": None, "c": 0}}, '{"a": {"b": null, "c": 0}}'),
        ([{"a": None}, 2.5], '[{"a": null}, 2.5]'),
        (7, 7),
        (None, None),
    ],
)
def test_objects_and_lists_become_json_text(cell: object, text: object) -> None:
    assert json_text(cell) == text


@pytest.mark.parametrize("read", [read_json, read_jsonl])
def test_an_object_keeps_its_own_keys_and_a_list_its_own_types(
    tmp_path: Path, read: object
) -> None:
    rows = ['{"gold": {"a": 1}, "tests": [1, "x"]}', '{"gold": {"b": 2.5}, "tests": []}']
    path = tmp_path / "rows"
    path.write_text("\n".join(rows) if read is read_jsonl else f"[{', '.join(rows)}]", "utf-8")
    assert callable(read)
    assert read(path, json_columns=("gold", "tests", "missing"))[:] == {
        "gold": ['{"a": 1}', '{"b": 2.5}'],
        "tests": ['[1, "x"]', "[]"],
    }


def test_a_data_set_gets_json_text_in_the_place_of_its_objects() -> None:
    rows = Dataset.from_dict({"gold": [{"a": [1]}, {"a": []}], "text": ["x", "y"]})
    assert with_json(rows, ("gold", "missing"))[:] == {
        "gold": ['{"a": [1]}', '{"a": []}'],
        "text": ["x", "y"],
    }
