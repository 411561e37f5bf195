"""The shape of a local data file: its columns and its number of rows, without a data library."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DataError", "Shape", "shape_of"]

PROBED_ROWS = 200


class DataError(Exception):
    """A data file that cannot be read as what its name says; the text names the line."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of the first rows, and how many rows there are; None where that is not known."""

    columns: tuple[str, ...]
    rows: int | None


def shape_of(path: Path, delimiter: str | None, encoding: str) -> Shape | None:
    """The shape of a file, None for a format that needs a library (parquet).

    Raises `DataError` where the content is not what the name says, and OSError.
    """
    match path.suffix.lower():
        case ".jsonl":
            return _jsonl(path)
        case ".json":
            return _json(path)
        case ".csv":
            return _csv(path, delimiter or ",", encoding)
        case ".tsv":
            return _csv(path, delimiter or "\t", encoding)
        case _:
            return None


def _jsonl(path: Path) -> Shape:
    columns: dict[str, None] = {}
    rows = 0
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                rows += 1
                if rows <= PROBED_ROWS:
                    columns.update(dict.fromkeys(_object(line, f"line {number}")))
    except UnicodeDecodeError as error:
        raise DataError(_undecodable(error)) from error
    return Shape(tuple(columns), rows)


def _json(path: Path) -> Shape:
    try:
        rows: object = json.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise DataError(_undecodable(error)) from error
    except (ValueError, RecursionError) as error:
        message = f"it is not JSON: {error}"
        raise DataError(message) from error
    if not isinstance(rows, list):
        message = "it is not a list of objects"
        raise DataError(message)
    columns: dict[str, None] = {}
    for number, row in enumerate(rows):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]  # JSON
        if not isinstance(row, dict):
            message = f"element {number} is not an object"
            raise DataError(message)
        columns.update(dict.fromkeys(map(str, row)))  # pyright: ignore[reportUnknownArgumentType]  # JSON
    return Shape(tuple(columns), len(rows))  # pyright: ignore[reportUnknownArgumentType]  # JSON


def _csv(path: Path, delimiter: str, encoding: str) -> Shape:
    try:
        with path.open(
            encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline=""
        ) as file:
            reader = csv.reader(file, delimiter=delimiter)
            header = next(reader, [])
            return Shape(tuple(header), sum(1 for row in reader if row))
    except UnicodeDecodeError as error:
        raise DataError(_undecodable(error)) from error
    except (csv.Error, LookupError) as error:
        raise DataError(str(error)) from error


def _object(line: str, where: str) -> tuple[str, ...]:
    """The keys of a JSON object."""
    try:
        row: object = json.loads(line)
    except (ValueError, RecursionError) as error:
        message = f"{where} is not JSON: {error}"
        raise DataError(message) from error
    if not isinstance(row, dict):
        message = f"{where} is not a JSON object"
        raise DataError(message)
    return tuple(map(str, row))  # pyright: ignore[reportUnknownArgumentType]  # JSON


def _undecodable(error: UnicodeDecodeError) -> str:
    return f"byte {error.start} is not {error.encoding}; name the file's `encoding`"
