"""`[data]`: its files are there and can be read, and there are rows enough."""

import codecs
from collections.abc import Iterator
from pathlib import PurePosixPath

from compiler.closest import closest, quoted_list
from compiler.local_data import DataError, shape_of
from compiler.parse import KeyPath
from compiler.rules.case import Case
from compiler.stack import STACKS
from spec_schema.data import Holdout, PathSource, PythonSource
from spec_schema.prompt import TextFile
from spec_schema.rewards import PythonReward

__all__ = [
    "enough_rows",
    "holdout_is_a_part",
    "local_sources",
    "options_of_text_files",
    "paths_stay_inside",
    "sources_are_readable",
    "stack_is_known",
]

SUFFIXES = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
DELIMITED = (".csv", ".tsv")


def local_sources(case: Case) -> Iterator[tuple[KeyPath, PathSource]]:
    """The sources that are files, each with the path of its table."""
    for name in ("train", "eval"):
        source = getattr(case.spec.data, name)
        if isinstance(source, PathSource):
            yield ("data", name), source


def stack_is_known(case: Case) -> None:
    """`[project] stack` is a version set that this trainspec has."""
    stack = case.spec.project.stack
    if stack is not None and stack not in STACKS:
        meant = closest(stack, STACKS)
        hint = f"did you mean `{meant}`?" if meant else f"it has {quoted_list(STACKS, 'and')}"
        case.error(
            "bad-value",
            ("project", "stack"),
            f"there is no stack `{stack}` in this trainspec",
            hint,
        )


def paths_stay_inside(case: Case) -> None:
    """Files that the spec names lie in its folder, so that the project can be moved as a whole."""
    for path, name in _named_paths(case):
        pure = PurePosixPath(name)
        if "\\" in name:
            case.error(
                "path-outside",
                path,
                f"the path `{name}` holds a backslash",
                f"write `{name.replace(chr(92), '/')}`",
            )
        elif pure.is_absolute() or ".." in pure.parts or not pure.name:
            case.error(
                "path-outside",
                path,
                f"the path `{name}` is not inside the spec's folder",
                "copy the file beside the spec, and give its path from there",
            )


def sources_are_readable(case: Case) -> None:
    """A data file is there, of a known format, and its content is what its name says."""
    for path, source in local_sources(case):
        suffix = PurePosixPath(source.path).suffix.lower()
        if suffix not in SUFFIXES:
            case.error(
                "bad-value",
                (*path, "path"),
                f"`{source.path}` has no format that is read",
                f"name it with one of {quoted_list(SUFFIXES)}",
            )
            continue
        file = case.folder / source.path
        if not file.is_file():
            case.error(
                "file-not-found",
                (*path, "path"),
                f"there is no file `{source.path}` beside the spec",
            )
            continue
        try:
            shape = shape_of(file, source.delimiter, source.encoding)
        except (DataError, OSError) as error:
            case.error(
                "unreadable-data", (*path, "path"), f"`{source.path}` cannot be read: {error}"
            )
            continue
        if shape is not None and not shape.rows:
            case.error("too-few-rows", (*path, "path"), f"`{source.path}` has no rows")


def holdout_is_a_part(case: Case) -> None:
    """What is held out is a share between 0 and 1, or fewer rows than there are."""
    holdout = case.spec.data.eval
    if not isinstance(holdout, Holdout):
        return
    path = ("data", "eval", "holdout")
    size = holdout.holdout
    if size <= 0 or (isinstance(size, float) and size >= 1):
        case.error(
            "bad-value",
            path,
            f"`holdout = {size}` holds out no part of the training rows",
            "write a share between 0 and 1, such as `0.1`, or a whole number of rows",
        )
        return
    shape = case.shape(case.spec.data.train)
    if shape is not None and shape.rows and isinstance(size, int) and size >= shape.rows:
        case.error("too-few-rows", path, f"{size} of {shape.rows} rows would be held out")


def enough_rows(case: Case) -> None:
    """The rows fill one step: TRL drops a batch that is not full, and would train nothing."""
    shape = case.shape(case.spec.data.train)
    if shape is None or not shape.rows:
        return
    rows = min(shape.rows, case.spec.data.train.rows or shape.rows)
    if isinstance(holdout := case.spec.data.eval, Holdout):
        rows -= int(rows * holdout.holdout) if holdout.holdout < 1 else int(holdout.holdout)
    for name, stage in case.spec.stages.items():
        if 0 < rows < stage.prompts_per_step:
            path = ("stages", name, "prompts_per_step")
            case.error(
                "too-few-rows",
                path if case.writes(path) else ("stages", name),
                f"one step of `{name}` takes {stage.prompts_per_step} prompts, and there are {rows}",
                f"write `prompts_per_step = {rows}` or less, or bring more rows",
            )


def options_of_text_files(case: Case) -> None:
    """`delimiter` and `encoding` are for text files, and the encoding is one that Python knows."""
    for path, source in local_sources(case):
        suffix = PurePosixPath(source.path).suffix.lower()
        if source.delimiter is not None and suffix not in DELIMITED:
            case.error(
                "no-effect",
                (*path, "delimiter"),
                f"`delimiter` has no effect on a `{suffix}` file",
                at="key",
            )
        if suffix == ".parquet" and case.writes((*path, "encoding")):
            case.error(
                "no-effect", (*path, "encoding"), "`encoding` has no effect on parquet", at="key"
            )
        try:
            codecs.lookup(source.encoding)
        except (LookupError, ValueError):
            case.error(
                "bad-value",
                (*path, "encoding"),
                f"Python knows no encoding `{source.encoding}`",
                "write one such as `utf-8`, `cp1252` or `utf-16`",
            )


def _named_paths(case: Case) -> Iterator[tuple[KeyPath, str]]:
    """Every path of the spec that has to lie in its folder."""
    spec = case.spec
    for name in ("train", "eval"):
        match getattr(spec.data, name):
            case PathSource(path=path):
                yield ("data", name, "path"), path
            case PythonSource(python=python):
                yield ("data", name, "python"), python.partition(":")[0]
            case _:
                pass
    if isinstance(spec.prompt.system, TextFile):
        yield ("prompt", "system", "file"), spec.prompt.system.file
    for name, reward in spec.rewards.items():
        if isinstance(reward, PythonReward):
            yield ("rewards", name, "function"), reward.function.partition(":")[0]
