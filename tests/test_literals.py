"""Values arrive in generated Python as they are, whatever they hold."""

import ast
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.literals import (
    docstring,
    literal,
    parse_template,
    pattern_literal,
    template_literal,
    text_literal,
)

HOSTILE = st.text(
    alphabet=st.one_of(
        st.characters(exclude_categories=("Cs",)),
        st.sampled_from("\"'\\{}%#$\n\r\t\x00\x1b\x7f\x85\u2028\u2029\ufeff"),
    ),
    max_size=40,
)


@given(HOSTILE)
def test_any_text_evaluates_to_itself(text: str) -> None:
    assert ast.literal_eval(text_literal(text)) == text
    assert ast.literal_eval(pattern_literal(text)) == text


@given(HOSTILE, HOSTILE, st.text(alphabet=string.printable, min_size=1, max_size=8))
def test_a_template_fills_its_holes_and_changes_nothing_else(
    before: str, after: str, column: str
) -> None:
    name = "".join(character for character in column if character not in "{}!:") or "column"
    if not name.strip() or name[0] in "[." or any(mark in name for mark in ".["):
        name = "column"
    doubled = [text.replace("{", "{{").replace("}", "}}") for text in (before, after)]
    template = parse_template(f"{doubled[0]}{{{name}}}{doubled[1]}")
    code = template_literal(template, "row")
    assert eval(code, {"row": {name: "VALUE"}}) == f"{before}VALUE{after}"


@pytest.mark.parametrize("text", ["{", "}", "{a", "a}", "{a!r}", "{a:>3}", "{}", "{ }", "{{}"])
def test_a_brace_that_opens_no_named_hole_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_template(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3e-4, "3e-4"),
        (1e-6, "1e-6"),
        (2.5e-7, "2.5e-7"),
        (0.002, "2e-3"),
        (0.01, "0.01"),
        (0.7, "0.7"),
        (1e20, "1e+20"),
        (8, "8"),
        (True, "True"),
        (["q_proj", 1, 0.5], '["q_proj", 1, 0.5]'),
        ({"dtype": "bfloat16"}, '{"dtype": "bfloat16"}'),
        (("answer",), '("answer",)'),
        ('say "hi"', "'say \"hi\"'"),
    ],
)
def test_a_value_is_written_as_a_person_would(value: object, text: str) -> None:
    assert literal(value) == text
    assert ast.literal_eval(text) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_keeps_its_value(value: float) -> None:
    assert ast.literal_eval(literal(value)) == value


def test_a_text_of_several_lines_stays_readable() -> None:
    assert text_literal("one\n\\boxed{}\n") == '"""\\\none\n\\\\boxed{}\n"""'


@given(HOSTILE)
def test_a_docstring_is_one_string_whatever_it_holds(text: str) -> None:
    assert isinstance(ast.literal_eval(docstring(text)), str)
