"""JSON: objects are compared field by field."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_extra import extra_fields
from json_fields import all_right, compared_fields
from json_value import json_form, read_json

GOLD = '{"total": 12.5, "vendor": "Acme", "lines": ["a", "b"], "paid": true}'


def same_case(answer: str, gold: str) -> bool:
    return answer.casefold() == gold.casefold()


def test_each_field_is_right_or_wrong() -> None:
    answer = '{"vendor": "ACME", "total": 12.50, "lines": ["b", "a"], "note": "x"}'
    found = compared_fields(answer, GOLD, {"vendor": same_case})
    assert found == {"total": True, "vendor": True, "lines": False, "paid": False}
    assert extra_fields(answer, GOLD) == {"note": False}
    assert not all_right(found)
    assert all_right(compared_fields(GOLD, GOLD, {}))


@pytest.mark.parametrize(
    ("answer", "gold", "same"),
    [
        ("1", "1.0", True),
        ("1e2", "100", True),
        ("true", "1", False),
        ("null", "0", False),
        ('"null"', "null", False),
        ('"1"', "1", False),
        ("[1, 2]", "[1,2]", True),
        ("[1, 2]", "[2, 1]", False),
        ('{"a": 1, "b": {"c": 2.0}}', '{"b": {"c": 2}, "a": 1}', True),
        ('{"a": true}', '{"a": 1}', False),
        ('"\\u00e9"', '"\u00e9"', True),
        ("9007199254740993", "9007199254740992", False),
    ],
)
def test_values_are_the_same_however_they_are_written(answer: str, gold: str, same: bool) -> None:
    wrapped = f'{{"x": {answer}}}', f'{{"x": {gold}}}'
    assert compared_fields(*wrapped, {}) == {"x": same}
    assert all_right(compared_fields(answer, gold, {}) | extra_fields(answer, gold)) is same


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "see solution", "{'a': 1}", '{"a": NaN}', '{"a": 1e999}', "Infinity"),
        *('{"a": 1, "a": 2}', '{"a": 1} and more', "[" * 100_000, '{"a":' * 5000),
    ],
)
def test_what_is_no_json_is_right_nowhere(text: str) -> None:
    assert compared_fields(text, GOLD, {}) == dict.fromkeys(json.loads(GOLD), False)
    assert compared_fields(text, text, {}) == {}
    assert not all_right(compared_fields(text, text, {}))


def test_a_comparison_sees_the_values_as_text() -> None:
    seen: list[tuple[str, str]] = []

    def note(answer: str, gold: str) -> bool:
        seen.append((answer, gold))
        return False

    compared_fields(
        '{"a": "x", "b": [1, 2.0]}', '{"a": 3, "b": {"c": null}}', {"a": note, "b": note}
    )
    assert seen == [("x", "3"), ("[1, 2]", '{"c": null}')]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES)
def test_every_value_equals_itself_in_any_layout(value: object) -> None:
    text = json.dumps(value)
    again = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    assert json_form(read_json(text)) == json_form(read_json(again))
    assert all_right(compared_fields(text, again, {}) | {"": value != {}}) is (value != {})


@given(st.text(), st.text())
def test_comparing_never_raises(answer: str, gold: str) -> None:
    compared_fields(answer, gold, {}) | extra_fields(answer, gold)
