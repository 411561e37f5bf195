"""Each way of comparing, as a project that says so compares."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import SPEC, load, write_project

Same = Callable[[str, str], bool]


@pytest.fixture
def compared(tmp_path: Path) -> Callable[..., Same]:
    """Compile a task with these keys of comparing; its `same_answer`."""

    def compiled(keys: str, **files: str) -> Same:
        spec = SPEC.replace('tag = "answer"', f'tag = "answer"\n{keys}')
        return load(write_project(tmp_path / "project", spec, **files), "answers").same_answer

    return compiled


def test_dates(compared: Callable[..., Same]) -> None:
    same = compared('compare = "date"\ndate_formats = ["%d/%m/%Y"]')
    assert same("05/03/2024", "2024-03-05")
    assert same("March 5, 2024", "5 March 2024")
    assert not same("03/05/2024", "2024-03-05")
    assert not same("soon", "soon")


def test_choices(compared: Callable[..., Same]) -> None:
    same = compared('compare = "choice"')
    assert same("(b)", "B")
    assert same("**B**", "B. Aspirin")
    assert not same("A", "B")
    assert not same("Doubtful", "D")


def test_sets_of_text(compared: Callable[..., Same]) -> None:
    same = compared('compare = "set"\ncase = "fold"')
    assert same("Rome, paris", "Paris, Rome")
    assert same('["Paris", "Rome"]', "Rome,Paris")
    assert not same("Paris", "Rome, Paris")
    assert not same("", "")


def test_lists_of_numbers(compared: Callable[..., Same]) -> None:
    same = compared('compare = "list"\neach = "number"\nseparator = ";"\nrelative_tolerance = 0.1')
    assert same("1,000; 1.05", "[1000; 1]")
    assert not same("1.05; 1,000", "1000; 1")
    assert not same("one; two", "one; two")


def test_lists_of_exact_elements(compared: Callable[..., Same]) -> None:
    same = compared('compare = "list"\neach = "exact"')
    assert same("[a,B]", "a, B")
    assert not same("a, b", "a, B")


FIELDS = """compare = "json"
[answer.fields]
total = { compare = "number", tolerance = 0.01 }
vendor = { compare = "text", case = "fold" }
"due date" = { compare = "date" }
lines = { compare = "set" }
code = { compare = "exact" }
class = { compare = "list", each = "number" }
"2nd total" = { compare = "number", percent = "strip" }
"2nd-total" = { compare = "number" }
"""
GOLD = {
    "total": 12.5,
    "vendor": "Acme",
    "due date": "2024-03-05",
    "lines": ["pen", {"count": 2}],
    "code": "A-1",
    "class": [1, 2],
    "2nd total": "5%",
    "2nd-total": 7,
    "paid": True,
}
OTHERWISE = {
    "paid": True,
    "vendor": "ACME ",
    "total": "$12.509",
    "due date": "March 5, 2024",
    "lines": [{"count": 2.0}, "pen"],
    "code": "A-1",
    "class": "1, 2",
    "2nd total": 5,
    "2nd-total": "7.0",
}


def test_json_field_by_field(compared: Callable[..., Same], tmp_path: Path) -> None:
    same = compared(FIELDS)
    matching = load(tmp_path / "project", "answers").matching_fields
    gold = json.dumps(GOLD)
    assert same(gold, gold)
    assert matching(json.dumps(OTHERWISE), gold) == dict.fromkeys(GOLD, True)
    assert same(json.dumps(OTHERWISE), gold)
    for name in GOLD:
        assert not same(json.dumps(GOLD | {name: "other"}), gold)
        without = {key: value for key, value in GOLD.items() if key != name}
        assert matching(json.dumps(without), gold) == {key: key != name for key in GOLD}
    assert matching(json.dumps(GOLD | {"note": 1}), gold) == {
        **dict.fromkeys(GOLD, True),
        "note": False,
    }
    assert not same(json.dumps(GOLD | {"note": 1}), gold)
    assert matching("no json", gold) == dict.fromkeys(GOLD, False)
    assert matching(gold, "no json") == {}


def test_json_with_fields_of_its_own_where_they_are_ignored(compared: Callable[..., Same]) -> None:
    same = compared('compare = "json"\nextra_fields = "ignore"')
    assert same('{"a": 1, "b": 2}', '{"a": 1}')
    assert not same('{"b": 2}', '{"a": 1}')
    assert same("[1, 2]", "[1,2]")
    assert not same("{}", "{}")


def test_json_with_mathematics_in_a_field(compared: Callable[..., Same]) -> None:
    same = compared('compare = "json"\nfields = { root = { compare = "math" } }')
    assert same(r'{"root": "\\sqrt{8}"}', r'{"root": "2\\sqrt{2}"}')
    assert not same(r'{"root": "2.83"}', r'{"root": "2\\sqrt{2}"}')


def test_a_function_of_the_users_own(compared: Callable[..., Same]) -> None:
    code = "def same(answer, gold):\n    return answer[::-1] == gold\n"
    same = compared('compare = { python = "my_answers.py:same" }', my_answers__py=code)
    assert same("abc", "cba")
    assert not same("abc", "abc")
