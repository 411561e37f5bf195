"""Reads a text file and says where in it an offset stands."""

import codecs
import stat
from pathlib import Path
from typing import NamedTuple

from compiler.diagnostics import Place, Report, Span, Stop

__all__ = ["SourceFile", "read_source"]


class SourceFile(NamedTuple):
    """A decoded text under the name its user gave it: no BOM, each CRLF an LF."""

    path: Path
    name: str
    text: str

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Give the line and the column of an offset, both from 1, columns in characters."""
        offset = max(0, min(offset, len(self.text)))
        line = self.text.count("\n", 0, offset) + 1
        return line, offset - self.text.rfind("\n", 0, offset)

    def place(self, span: Span) -> Place:
        """Give the place of a span in this file."""
        return Place(self.name, span)


def read_source(path: Path, report: Report) -> SourceFile:
    """Read a UTF-8 file; whatever is in the way becomes a diagnostic, then `Stop`."""
    data = _read_bytes(path, report)
    text = _decode(data, path, report)
    return SourceFile(path, str(path), text.removeprefix("\ufeff").replace("\r\n", "\n"))


def _read_bytes(path: Path, report: Report) -> bytes:
    place = Place(str(path), Span(0, 0))
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            what = "a folder" if path.is_dir() else "no regular file"
            hints = _file_inside(path)
            report.error("not-a-file", f"`{path}` is {what}", place, hints=hints)
            raise Stop
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            message = f"`{path}` is a link to `{path.readlink()}`, which is not there"
            report.error("file-not-found", message, place)
        else:
            report.error("file-not-found", f"no file `{path}`", place, hints=_near_names(path))
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        hint = "check the permissions of the file and of the folders above it"
        report.error("not-readable", f"cannot read `{path}`: {reason}", place, hints=(hint,))
    except ValueError:
        # A NUL in a path is refused by Python before the system is asked.
        report.error("file-not-found", f"no file `{path}`: a path holds no NUL", place)
    raise Stop


def _file_inside(path: Path) -> tuple[str, ...]:
    inside = path / "task.toml"
    return (f"name the file: `{inside}`",) if inside.is_file() else ()


def _near_names(path: Path) -> tuple[str, ...]:
    import difflib  # most files are found

    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix == path.suffix]
    except OSError:
        return ()
    near = difflib.get_close_matches(path.name, sorted(names), n=1)
    return tuple(f"did you mean `{path.with_name(name)}`?" for name in near)


def _decode(data: bytes, path: Path, report: Report) -> str:
    encoding = _wide_encoding(data)
    if encoding:
        message = f"`{path}` is {encoding}, not UTF-8"
        _refuse_encoding(message, path, report)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").removeprefix("\ufeff")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        byte = f"0x{data[error.start]:02x}"
        message = f"`{path}` is not UTF-8: byte `{byte}` on line {line}, column {column}"
        _refuse_encoding(message + _likely_encoding(data), path, report)
        raise Stop from error


def _refuse_encoding(message: str, path: Path, report: Report) -> None:
    place = Place(str(path), Span(0, 0))
    hint = "save the file as UTF-8 in your editor"
    report.error("bad-encoding", message, place, hints=(hint,))
    raise Stop


def _wide_encoding(data: bytes) -> str | None:
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    head = data[:4096]
    if head.count(0) * 2 > len(head):
        return "UTF-32"
    if head.count(0) * 4 > len(head):
        return "UTF-16"
    return None


def _likely_encoding(data: bytes) -> str:
    text = data.decode("latin-1")
    if set(text) & set("\x81\x8d\x8f\x90\x9d\0"):
        return "; it looks like binary data or an East Asian encoding"
    # Only Windows-1252 has letters and quotes where Latin-1 has control characters.
    windows = any("\x80" <= character <= "\x9f" for character in text)
    return f"; it looks like {'Windows-1252' if windows else 'Latin-1 (ISO 8859-1)'}"
