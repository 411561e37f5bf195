"""Sets and lists: elements are set apart, brought into form and compared."""

import pytest
from compare_list import same_list
from compare_list_close import close_list
from compare_set import same_set
from compare_set_close import close_set
from elements import elements
from grouping_thousands import without_thousands
from hypothesis import given
from hypothesis import strategies as st
from number import Number, parse_number


def number(text: str) -> Number | None:
    return parse_number(without_thousands(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a, b", ["a", "b"]),
        ("a,b,", ["a", "b"]),
        ("[a, b]", ["a", "b"]),
        ("{a, b}", ["a", "b"]),
        (r"\{a, b\}", ["a", "b"]),
        ("(a), (b)", ["(a)", "(b)"]),
        ("(a, b)", ["a", "b"]),
        ("**a, b**", ["a", "b"]),
        ("'a', \"b\"", ["a", "b"]),
        ('["a, b", "c"]', ["a, b", "c"]),
        ('["a", 1.50, true, null, {"y": 1, "x": [2.0]}]', None),
        ("['a', 'b']", ["a", "b"]),
        ("[]", []),
        ("{ }", []),
        ("a", ["a"]),
        ("", None),
        (" , ", None),
        ("[", ["["]),
        ("[" * 100_000, ["[" * 100_000]),
        ("a," * 2000, None),
    ],
)
def test_elements(text: str, found: list[str] | None) -> None:
    if text.startswith('["a", 1.50'):
        found = ["a", "1.5", "true", "null", '{"x": [2], "y": 1}']
    assert elements(text, ",", str) == found


def test_another_separator() -> None:
    assert elements("a, b; c", ";", str) == ["a, b", "c"]
    assert elements("a\nb\n", "\n", str) == ["a", "b"]


def test_a_set_has_no_order_and_no_number_of_times() -> None:
    assert same_set(["a", "b", "a"], ["b", "a"])
    assert not same_set(["a"], ["a", "b"])
    assert not same_set(["a", "b", "c"], ["a", "b"])
    assert same_set([], [])
    assert not same_set(None, None)
    assert not same_set([None], [None])


def test_a_list_has_an_order() -> None:
    assert same_list(["a", "b"], ["a", "b"])
    assert not same_list(["b", "a"], ["a", "b"])
    assert not same_list(["a"], ["a", "a"])
    assert not same_list(None, None)
    assert not same_list([None], [None])


def test_numbers_of_a_list_within_a_tolerance() -> None:
    gold = elements("[8.124, 12.852]", ",", number)
    assert same_list(elements("[8.124,12.852]", ",", number), gold)
    assert same_set(elements("12.8520; 8.124", ";", number), gold)
    assert close_list(elements("8.1,12.9", ",", number), gold, tolerance=0.05)
    assert not close_list(elements("12.9,8.1", ",", number), gold, tolerance=0.05)
    assert close_set(elements("12.9,8.1,8.13", ",", number), gold, tolerance=0.05)
    assert not close_set(elements("12.9,8.1,5", ",", number), gold, tolerance=0.05)
    assert not close_set(elements("12.9", ",", number), gold, tolerance=0.05)
    assert not close_set(elements("twelve", ",", number), gold, tolerance=100.0)
    assert not close_set(None, None, tolerance=1.0)
    assert close_set([], [], tolerance=1.0)


@given(st.lists(st.text(alphabet="abc \u00e4", min_size=1).map(str.strip).filter(bool), min_size=1))
def test_a_list_equals_itself_and_its_set_in_any_order(found: list[str]) -> None:
    text = ", ".join(found)
    assert same_list(elements(text, ",", str), elements(f"[{text}]", ",", str))
    assert same_set(elements(", ".join(reversed(found)), ",", str), elements(text, ",", str))


@given(st.text(), st.text(min_size=1, max_size=2))
def test_taking_apart_never_raises(text: str, separator: str) -> None:
    elements(text, separator, number)
