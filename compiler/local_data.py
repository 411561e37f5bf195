"""The shape of a local data file: its columns and its number of rows, without a data library."""

import csv
import io
import json
import mmap
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

__all__ = [
    "NO_DELIMITERS",
    "DataError",
    "Shape",
    "is_text_encoding",
    "joined",
    "may_have_column",
    "shape_of",
]

PROBED_ROWS = 200
# A larger JSON list is read only at its beginning: to parse takes seconds and ten times its size.
WHOLE_JSON = 32 * 2**20
JSON_HEAD = 2**20
SHOWN = 40
# What has a meaning of its own in a delimited file.
NO_DELIMITERS = '"\r\n'


class DataError(Exception):
    """A data file that cannot be read as what its name says; the text names the line."""


class Shape(NamedTuple):
    """The columns of the first rows, and how many rows there are; None where that is not known.

    `sampled` says that rows were left out when the columns were collected.
    """

    columns: tuple[str, ...]
    rows: int | None
    sampled: bool = False


def shape_of(path: Path, delimiter: str | None, encoding: str) -> Shape | None:
    """The shape of a file, None for a format that needs a library (parquet).

    Raises `DataError` where the content is not what the name says, and OSError.
    """
    stat = path.stat()
    return _shape(path, delimiter, encoding, (stat.st_size, stat.st_mtime_ns))


def joined(shapes: Sequence[tuple[Shape, float | None]]) -> Shape:
    """The shape of several files together, each with its share of the rows or None.

    With shares there are as many rows as there can be without one twice. The columns are those
    that all have.
    """
    first = shapes[0][0].columns
    columns = tuple(name for name in first if all(name in shape.columns for shape, _ in shapes))
    counts = [shape.rows for shape, _ in shapes if shape.rows is not None]
    shares = [share for _, share in shapes if share is not None]
    rows = sum(counts) if len(counts) == len(shapes) else None
    if rows is not None and len(shares) == len(shapes):
        most = min(count / share for count, share in zip(counts, shares, strict=True))
        rows = sum(round(most * share) for share in shares)
    return Shape(columns, rows, any(shape.sampled for shape, _ in shapes))


def may_have_column(path: Path, column: str, columns: Shape) -> bool:
    """Whether a column is in a file: among those of its shape, or named in a row not looked at."""
    if column in columns.columns or not columns.sampled:
        return column in columns.columns
    names = {json.dumps(column, ensure_ascii=ascii_only).encode() for ascii_only in (True, False)}
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return any(content.find(name) >= 0 for name in names)


def is_text_encoding(encoding: str) -> bool:
    """Whether Python knows an encoding of that name, from bytes to text."""
    try:
        "a".encode(encoding).decode(encoding)
    except (LookupError, ValueError):
        return False
    return True


@lru_cache(maxsize=16)
def _shape(
    path: Path, delimiter: str | None, encoding: str, _version: tuple[int, int]
) -> Shape | None:
    """The shape of one version of a file: several phases ask for it, and it may be large."""
    if not is_text_encoding(encoding):
        message = f"Python knows no encoding `{encoding}`"
        raise DataError(message)
    match path.suffix.lower():
        case ".jsonl":
            return _jsonl(path, encoding)
        case ".json":
            return _json(path, encoding)
        case ".csv":
            return _csv(path, delimiter or ",", encoding)
        case ".tsv":
            return _csv(path, delimiter or "\t", encoding)
        case ".parquet":
            return _parquet(path)
        case _:
            return None


def _jsonl(path: Path, encoding: str) -> Shape:
    columns: dict[str, None] = {}
    rows = 0
    for number, line in enumerate(_lines(path, encoding), start=1):
        if line.isspace():
            continue
        rows += 1
        if rows <= PROBED_ROWS:
            text = line if isinstance(line, str) else _decoded(line, encoding, number)
            columns.update(dict.fromkeys(_object(text, number)))
    return Shape(tuple(columns), rows, sampled=rows > PROBED_ROWS)


def _object(line: str, number: int) -> tuple[str, ...]:
    """The keys of a line that holds a JSON object."""
    if line.lstrip()[:1] == "[":
        message = f"line {number} is a list; a file with one list of objects is named `.json`"
        raise DataError(message)
    try:
        row: object = json.loads(line)
    except json.JSONDecodeError as error:
        message = f"line {number} is not JSON: {error.msg} at column {error.colno}"
        raise DataError(message) from error
    except (ValueError, RecursionError) as error:
        message = f"line {number} is not JSON: {error}"
        raise DataError(message) from error
    return _keys(row, f"line {number}")


def _json(path: Path, encoding: str) -> Shape:
    if path.stat().st_size > WHOLE_JSON:
        with path.open("rb") as file:
            head = file.read(JSON_HEAD)
        columns = _columns(_first_elements(head.decode(encoding, errors="ignore")))
        return Shape(columns, None, sampled=True)
    text = _decoded(path.read_bytes(), encoding, None)
    if not text.strip():
        return Shape((), 0)
    try:
        rows: object = json.loads(text)
    except json.JSONDecodeError as error:
        lines = error.msg == "Extra data" and text.lstrip()[:1] == "{"
        hint = "; objects on lines of their own are named `.jsonl`" if lines else ""
        message = f"line {error.lineno} is not JSON: {error.msg}{hint}"
        raise DataError(message) from error
    except (ValueError, RecursionError) as error:
        message = f"it is not JSON: {error}"
        raise DataError(message) from error
    if not isinstance(rows, list):
        message = "it is not a list of objects"
        raise DataError(message)
    elements = cast("list[object]", rows)
    return Shape(_columns(elements), len(elements))


def _first_elements(head: str) -> list[object]:
    """The elements of a list whose text goes on behind `head`."""
    decoder = json.JSONDecoder()
    found: list[object] = []
    position = head.find("[") + 1
    if head[:position].strip("\ufeff \t\r\n") != "[":
        message = "it is not a list of objects"
        raise DataError(message)
    while len(found) < PROBED_ROWS:
        position += len(head[position:]) - len(head[position:].lstrip(" \t\r\n,"))
        try:
            element, position = decoder.raw_decode(head, position)
        except (ValueError, RecursionError) as error:
            if found:
                break
            message = f"its first element is not JSON: {error}"
            raise DataError(message) from error
        found.append(element)
    return found


def _columns(rows: list[object]) -> tuple[str, ...]:
    columns: dict[str, None] = {}
    for number, row in enumerate(rows):
        columns.update(dict.fromkeys(_keys(row, f"element {number}")))
    return tuple(columns)


def _keys(row: object, where: str) -> tuple[str, ...]:
    if not isinstance(row, dict):
        message = f"{where} is not an object"
        raise DataError(message)
    keys = tuple(cast("dict[str, object]", row))
    if any(re.search(r"[\ud800-\udfff]", key) for key in keys):
        message = f"{where} has a key with half a character in it, a lone surrogate"
        raise DataError(message)
    return keys


def _csv(path: Path, delimiter: str, encoding: str) -> Shape:
    if delimiter in NO_DELIMITERS:
        message = f"it cannot be parted at {delimiter!r}"
        raise DataError(message)
    # The limit of the csv module, 128 kB, is less than a long document in a cell.
    before = csv.field_size_limit(2**31 - 1)
    lines = _text_lines(path, encoding)
    try:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        header = tuple(next(reader, list[str]()))
        _check_header(header)
        rows = 0
        for cells in reader:
            if cells and len(cells) != len(header):
                wrong = f"has {len(cells)} cells, and the header {len(header)}"
                message = f"line {reader.line_num} {wrong}"
                raise DataError(message)
            rows += bool(cells)
        return Shape(header, rows)
    except csv.Error as error:
        message = f"line {reader.line_num} is damaged: {error}"  # pyright: ignore[reportPossiblyUnboundVariable]  # only a reader raises it
        raise DataError(message) from error
    except (TypeError, ValueError) as error:
        message = f"it cannot be parted at {delimiter!r}: {error}"
        raise DataError(message) from error
    finally:
        csv.field_size_limit(before)


def _check_header(header: tuple[str, ...]) -> None:
    """Refuse columns that no row could name."""
    blank = [position for position, name in enumerate(header, start=1) if not name.strip()]
    if blank:
        message = f"column {blank[0]} of its header has no name"
        raise DataError(message)
    twice = [name for position, name in enumerate(header) if name in header[:position]]
    if twice:
        names = ", ".join(f"`{name[:SHOWN]}`" for name in dict.fromkeys(twice))
        message = f"its header has {names} more than once"
        raise DataError(message)


def _parquet(path: Path) -> None:
    with path.open("rb") as file:
        mark = file.read(4)
    if mark not in (b"PAR1", b"PARE"):
        message = "it is not parquet"
        raise DataError(message)


def _text_lines(path: Path, encoding: str) -> Iterator[str]:
    """The lines of a text file as the csv module wants them, with their ends of every kind."""
    for number, line in enumerate(_lines(path, encoding), start=1):
        text = line if isinstance(line, str) else _decoded(line, encoding, number)
        if "\0" in text:
            message = f"line {number} holds a NUL: it is binary, or in another `encoding`"
            raise DataError(message)
        if "\r" in text.removesuffix("\r\n"):
            yield from io.StringIO(text, newline="")
        else:
            yield text


def _lines(path: Path, encoding: str) -> Iterator[bytes] | Iterator[str]:
    """The lines of a text file: as bytes, which is far faster, where a line break is one byte."""
    if "\n".encode(encoding) == b"\n":
        with path.open("rb") as file:
            yield from file
        return
    content = _decoded(path.read_bytes(), encoding, None)
    yield from io.StringIO(content, newline="\n")


def _decoded(content: bytes, encoding: str, line: int | None) -> str:
    """The text of a line or of a whole file, without a byte order mark."""
    try:
        text = content.decode(encoding)
    except ValueError as error:
        position = error.start if isinstance(error, UnicodeDecodeError) else 0
        number = content.count(b"\n", 0, position) + 1 if line is None else line
        guess = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "cp1252"
        byte = f"byte 0x{content[position]:02x} on line {number}"
        message = f'{byte} is not {encoding}; name its `encoding`, such as "{guess}"'
        raise DataError(message) from error
    return text.removeprefix("\ufeff") if line in (None, 1) else text
