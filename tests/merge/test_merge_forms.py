"""The form of the user's file: byte order mark, line ends, the end of the last line."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.merge import Labels, merge_file

BASE = "a = 1\nb = 2\nc = 3\n"
NEW = "a = 1\nb = 2\nc = 30\nd = 4\n"


def merged(mine: bytes, path: str = "file.py") -> bytes:
    found = merge_file(path, BASE, mine, NEW, labels=Labels())
    assert found is not None
    assert found.conflicts == 0
    return found.data


@pytest.mark.parametrize("path", ["file.py", "file.toml"])
@pytest.mark.parametrize(
    ("mine", "result"),
    [
        (b"a = 10\r\nb = 2\r\nc = 3\r\n", b"a = 10\r\nb = 2\r\nc = 30\r\nd = 4\r\n"),
        (b"a = 10\nb = 2\nc = 3", b"a = 10\nb = 2\nc = 30\nd = 4"),
        (b"a = 10\r\nb = 2\r\nc = 3", b"a = 10\r\nb = 2\r\nc = 30\r\nd = 4"),
        (b"a = 10\r\nb = 2\nc = 3\r\n", b"a = 10\r\nb = 2\nc = 30\r\nd = 4\r\n"),
        (b"a = 10\nb = 2\r\nc = 3\n", b"a = 10\nb = 2\r\nc = 30\nd = 4\n"),
        (codecs.BOM_UTF8 + b"a = 10\nb = 2\nc = 3\n", None),
    ],
    ids=["crlf", "no-end", "crlf-no-end", "mixed", "mixed-lf", "mark"],
)
def test_a_file_keeps_its_form(mine: bytes, result: bytes | None, path: str) -> None:
    expected = codecs.BOM_UTF8 + b"a = 10\nb = 2\nc = 30\nd = 4\n" if result is None else result
    assert merged(mine, path) == expected


def test_a_file_that_differs_in_form_alone_takes_the_new_text_in_it() -> None:
    crlf = codecs.BOM_UTF8 + BASE.replace("\n", "\r\n").encode()
    assert merged(crlf) == codecs.BOM_UTF8 + NEW.replace("\n", "\r\n").encode()


@settings(deadline=None)
@given(st.binary(max_size=40))
def test_where_nothing_is_new_no_byte_changes(mine: bytes) -> None:
    found = merge_file("file.py", BASE, mine, BASE, labels=Labels())
    try:
        mine.decode()
    except UnicodeDecodeError:
        assert found is None
    else:
        assert found == (mine, 0)


def test_a_file_that_is_not_utf_8_is_its_owners_to_settle() -> None:
    assert merge_file("file.py", BASE, "a = 'é'\n".encode("cp1252"), NEW, labels=Labels()) is None


def test_an_emptied_file_is_a_conflict_where_the_compiler_changes_it() -> None:
    found = merge_file("file.toml", BASE, b"", NEW, labels=Labels())
    assert found is not None
    assert found.conflicts == 1
    assert merge_file("file.toml", BASE, b"", BASE, labels=Labels()) == (b"", 0)
