"""How a file is written as bytes: byte order mark, line ends, and the end of its last line."""

import codecs
from collections import Counter
from difflib import SequenceMatcher
from typing import NamedTuple

from compiler.merge.markers import split_lines

__all__ = ["Form", "read_form", "write_form"]


class Form(NamedTuple):
    """What `read_form` takes off a text so that texts of any form can be compared."""

    mark: bool
    text: str
    endings: tuple[str, ...]
    ended: bool


def read_form(data: bytes) -> Form | None:
    """The text with LF at each line's end, the last one too, and its form; None if not UTF-8."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    lines = split_lines(text)
    endings = tuple("\r\n" if line.endswith("\r\n") else "\n" for line in lines)
    ended = not text or text.endswith("\n")
    plain = text.replace("\r\n", "\n") + ("" if ended else "\n")
    return Form(data.startswith(codecs.BOM_UTF8), plain, endings, ended)


def write_form(text: str, form: Form) -> bytes:
    """A text whose lines all end with LF, written as the file was.

    A line that the file has keeps the end it has there; a new one takes the most frequent end.
    """
    lines = split_lines(text)
    known = form.endings if form.ended else form.endings[:-1]
    usual = Counter(known).most_common(1)[0][0] if known else "\n"
    ends = [usual] * len(lines)
    if len(set(known)) > 1:
        before = split_lines(form.text)
        for first, start, size in SequenceMatcher(
            None, before, lines, autojunk=False
        ).get_matching_blocks():
            kept = known[first : first + size]
            ends[start : start + len(kept)] = kept
    written = "".join(line[:-1] + end for line, end in zip(lines, ends, strict=True))
    if not form.ended and written:
        written = written[: -len(ends[-1])]
    return (codecs.BOM_UTF8 if form.mark else b"") + written.encode()
