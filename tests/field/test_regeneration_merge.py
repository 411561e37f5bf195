"""Threads about template-update tools, as far as the merge of one file's text answers them."""

import codecs
import random
from collections.abc import Callable

import pytest

from compiler.merge import Labels, has_markers, merge_file

Form = Callable[[str], bytes]
BASE = "".join(f"key_{number} = {number}\n" for number in range(20))
NEW = BASE.replace("key_15 = 15\n", "key_15 = 150\n")
MINE = BASE.replace("key_3 = 3\n", "key_3 = 30\n")
BOTH = NEW.replace("key_3 = 3\n", "key_3 = 30\n")


def mixed(text: str) -> bytes:
    """Give the text with a line end drawn for each line."""
    drawn = random.Random(158)
    return "".join(line + drawn.choice(["\r\n", "\n"]) for line in text.splitlines()).encode()


FORMS: dict[str, Form] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "mixed": mixed,
    "mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "no-final-newline": lambda text: text.removesuffix("\n").encode(),
    "all": lambda text: codecs.BOM_UTF8 + text.replace("\n", "\r\n").removesuffix("\r\n").encode(),
}


@pytest.mark.parametrize("path", ["rewards.py", "pyproject.toml", "README.md"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_field_158_an_editor_that_saves_another_form_causes_no_conflict(
    form: Form, path: str
) -> None:
    assert merge_file(path, BASE, form(MINE), NEW, labels=Labels()) == (form(BOTH), 0)


@pytest.mark.parametrize("path", ["rewards.py", "run.sh"])
def test_field_150_an_overlap_leaves_markers_in_the_one_file(path: str) -> None:
    mine = BASE.replace("key_15 = 15\n", "key_15 = 151\n").encode()
    merged = merge_file(path, BASE, mine, NEW, labels=Labels())
    assert merged is not None
    assert merged.conflicts == 1
    text = merged.data.decode()
    assert has_markers(text)
    assert not has_markers(BASE)
    block = (
        "<<<<<<< yours\nkey_15 = 151\n||||||| last compile\nkey_15 = 15\n"
        "=======\nkey_15 = 150\n>>>>>>> this compile\n"
    )
    assert text == BASE.replace("key_15 = 15\n", block)


def test_field_144_an_untouched_line_is_the_new_one_byte_by_byte() -> None:
    assert merge_file("a.toml", BASE, BASE.encode(), NEW, labels=Labels()) == (NEW.encode(), 0)
    merged = merge_file("a.toml", BASE, MINE.encode(), NEW, labels=Labels())
    assert merged == (BOTH.encode(), 0)


def test_field_155_the_base_text_is_all_that_the_merge_needs() -> None:
    # As another version wrote it: other order, other layout, other words around the same keys.
    base = "# An older text.\nargs = Config(\n    seed=42, beta=0.0,\n    steps=300,\n)\n"
    mine = base.replace("steps=300", "steps=500")
    new = '"""A newer text."""\n\nargs = Config(\n    beta=0.0,\n    seed=43,\n    steps=300,\n)\n'
    merged = merge_file("train.py", base, mine.encode(), new, labels=Labels())
    expected = new.replace("steps=300", "steps=500")
    assert merged == (expected.encode(), 0)
