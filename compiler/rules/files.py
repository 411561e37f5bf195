"""Files that the spec names: inside its folder, there, and what their names say."""

import json
from collections.abc import Iterator
from pathlib import PurePosixPath

from compiler.chat.named import is_file
from compiler.closest import closest, quoted_list, shortened
from compiler.local_data import NO_DELIMITERS, DataError, is_text_encoding, shape_of
from compiler.parse import KeyPath
from compiler.resolve.own_data import sources_of
from compiler.rules.case import Case, is_inside
from spec_schema.data import PathSource, PythonSource
from spec_schema.prompt import TextFile

__all__ = [
    "local_sources",
    "options_of_text_files",
    "paths_stay_inside",
    "report_missing_file",
    "sources_are_readable",
]

SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
# Text files of columns, each with the delimiter that it has unless the spec says otherwise.
DELIMITED = {".csv": ",", ".tsv": "\t"}
_DELIMITERS = (",", ";", "\t", "|")
_LONGEST_HEADER = 65536


def local_sources(case: Case) -> Iterator[tuple[KeyPath, PathSource]]:
    """The sources that are files, each with the path of its table."""
    for path, source in sources_of(case.spec):
        if isinstance(source, PathSource):
            yield path, source


def paths_stay_inside(case: Case) -> None:
    """Files that the spec names lie in its folder, so that the project can be moved as a whole."""
    for path, name in _named_paths(case):
        if is_inside(name):
            continue
        shown = shortened(name)
        slashed = name.replace("\\", "/")
        if "\\" in name and is_inside(slashed):
            message, hint = f"the path `{shown}` holds a backslash", f"write `{slashed}`"
        elif not PurePosixPath(slashed).name and not slashed.startswith("/"):
            message = f"the path `{shown}` is the spec's folder, not a file in it"
            hint = "name a file"
        else:
            message = f"the path `{shown}` is not inside the spec's folder"
            hint = "copy the file beside the spec, and give its path from there"
        case.error("path-outside", path, message, hint)


def sources_are_readable(case: Case) -> None:
    """A data file is there, of a known format, and its content is what its name says."""
    for path, source in local_sources(case):
        place = (*path, "path")
        suffix = PurePosixPath(source.path).suffix.lower()
        parts = source.delimiter is None or source.delimiter not in NO_DELIMITERS
        if not is_inside(source.path):
            continue
        if suffix not in SUFFIXES:
            message = f"`{shortened(source.path)}` has no format that is read"
            hint = f"name it with one of {quoted_list(SUFFIXES)}"
            case.error("bad-value", place, message, hint)
        elif not case.has_file(source.path):
            report_missing_file(case, place, source.path)
        elif is_text_encoding(source.encoding) and parts:
            _read(case, place, source)


def report_missing_file(case: Case, path: KeyPath, name: str) -> None:
    """Report a file that is not beside the spec, with the name that was probably meant."""
    file = case.folder / name
    hints: list[str] = []
    try:
        if file.is_dir():
            hints.append("it is a folder: name a file in it")
        elif meant := closest(file.name, sorted(entry.name for entry in file.parent.iterdir())):
            hints.append(f"did you mean `{PurePosixPath(name).with_name(meant)}`?")
    except (OSError, ValueError):
        pass
    message = f"there is no file `{shortened(name)}` in the spec's folder"
    case.error("file-not-found", path, message, *hints)


def options_of_text_files(case: Case) -> None:
    """`delimiter` and `encoding` are for text files, and Python knows them."""
    for path, source in local_sources(case):
        suffix = PurePosixPath(source.path).suffix.lower()
        if source.delimiter is not None and suffix not in DELIMITED:
            message = f"`delimiter` has no effect on a `{suffix}` file"
            case.warning("no-effect", (*path, "delimiter"), message, "leave it out", at="key")
        elif source.delimiter is not None and source.delimiter in NO_DELIMITERS:
            message = "`delimiter` is a quote or a line break, which have a meaning of their own"
            hint = 'write one such as `","`, `";"` or `"\\t"`'
            case.error("bad-value", (*path, "delimiter"), message, hint)
        if suffix == ".parquet" and case.writes((*path, "encoding")):
            message = "`encoding` has no effect on a `.parquet` file"
            case.warning("no-effect", (*path, "encoding"), message, "leave it out", at="key")
        elif not is_text_encoding(source.encoding):
            message = f"Python knows no encoding `{shortened(source.encoding)}`"
            hint = "write one such as `utf-8`, `cp1252` or `utf-16`"
            case.error("bad-value", (*path, "encoding"), message, hint)


def _read(case: Case, path: KeyPath, source: PathSource) -> None:
    shown = shortened(source.path)
    try:
        shape = shape_of(case.folder / source.path, source.delimiter, source.encoding)
    except DataError as error:
        hints = _delimiter_hints(case, source)
        case.error("unreadable-data", path, f"`{shown}` cannot be read: {error}", *hints)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        case.error("unreadable-data", path, f"`{shown}` cannot be read: {reason}")
    else:
        if shape is not None and shape.rows == 0:
            case.error("too-few-rows", path, f"`{shown}` has no rows")


def _delimiter_hints(case: Case, source: PathSource) -> tuple[str, ...]:
    """Say how the file is parted, where its header has another delimiter and not the one in use."""
    suffix = PurePosixPath(source.path).suffix.lower()
    if suffix not in DELIMITED:
        return ()
    used = source.delimiter or DELIMITED[suffix]
    try:
        with (case.folder / source.path).open(encoding=source.encoding) as file:
            header = file.readline(_LONGEST_HEADER)
    except (OSError, ValueError):
        return ()
    others = [other for other in _DELIMITERS if other in header]
    if used in header or len(others) != 1:
        return ()
    return (f"write `delimiter = {json.dumps(others[0])}`, which parts its header",)


def _named_paths(case: Case) -> Iterator[tuple[KeyPath, str]]:
    """Every path of the spec that has to lie in its folder."""
    spec = case.spec
    for table, source in sources_of(spec):
        match source:
            case PathSource(path=path):
                yield (*table, "path"), path
            case PythonSource(python=python):
                yield (*table, "python"), python.partition(":")[0]
            case _:
                pass
    own = spec.model.chat_template
    if own is not None and is_file(own):
        yield ("model", "chat_template"), own
    if isinstance(spec.prompt.system, TextFile):
        yield ("prompt", "system", "file"), spec.prompt.system.file
    for name, reward in spec.rewards.items():
        if reward.kind == "python":
            yield ("rewards", name, "function"), reward.function.partition(":")[0]
        elif reward.kind == "json_schema" and not isinstance(reward.schema_, dict):
            yield ("rewards", name, "schema", "file"), reward.schema_.file
        elif reward.kind == "sql":
            yield ("rewards", name, "database"), reward.database
