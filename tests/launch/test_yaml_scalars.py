"""Text of a spec arrives in YAML as it is, whatever it says."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from compiler.yaml_scalars import yaml_block, yaml_text

HOSTILE = [
    "",
    " ",
    "plain",
    "two words",
    "it's",
    '"quoted"',
    "$(touch owned)",
    "`touch owned`",
    "$HOME ${HOME}",
    "a; touch owned",
    "a\ntouch owned",
    "# no comment",
    "a # no comment",
    "key: value",
    "- item",
    "back\\slash",
    "tab\there",
    "Größe 数学 🎲",
    "\u2028\u2029\x85\x7f\x07",
    "no",
    "1e3",
    "0x10",
    "~",
    "{a}",
    "[a]",
    "&a *a !a %a @a",
    "| >",
    "trailing ",
    "<<name>> {{name}}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_yaml_gets_the_text(text: str) -> None:
    assert yaml.safe_load(f"key: {yaml_text(text)}\nnext: 1\n") == {"key": text, "next": 1}


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_yaml_gets_any_text(text: str) -> None:
    assert yaml.safe_load(f"key: {yaml_text(text)}\nnext: 1\n") == {"key": text, "next": 1}


LINES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\n"))


@given(st.lists(LINES, max_size=4))
def test_yaml_gets_any_lines(lines: list[str]) -> None:
    text = f"key: {yaml_block(tuple(lines), 2)}\nnext: 1\n"
    assert yaml.safe_load(text) == {"key": "".join(f"{line}\n" for line in lines), "next": 1}


def test_plain_lines_are_a_block() -> None:
    assert yaml_block(("module load cuda", 'echo "a # b"'), 2) == (
        '|\n  module load cuda\n  echo "a # b"'
    )
