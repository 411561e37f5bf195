"""What is linted: the files of a project, or of a folder or script that trainspec did not write."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from compiler.diagnostics import Diagnostic, Place, Report, Severity, Span, Stop
from compiler.lint.module import Module
from compiler.manifest import STATE_FOLDER, Manifest, is_compiled, read_manifest
from compiler.source import SourceFile, read_source
from compiler.stack import Stack, known_stacks, load_stack

__all__ = ["Edit", "LintReport", "Linted", "linted_texts", "read_linted"]

# What is a text of the project beside its Python files.
_TEXTS = {".cfg", ".ini", ".json", ".lock", ".md", ".sh", ".toml", ".txt", ".yaml", ".yml"}
# What an edit or a merge leaves beside a file.
_LEFTOVERS = (".rej", ".orig", ".new")
# Folders with what a run or a tool has made; hidden ones are left out as well, but for this.
_MADE = {"__pycache__", "build", "dist", "node_modules", "outputs", "runs", "wandb"}
_WORKFLOWS = ".github"
_LARGEST = 2_000_000  # bytes; a larger text is data


class Edit(NamedTuple):
    """A repair that changes nothing else: the characters of a place, and what to put there."""

    place: Place
    text: str


class LintReport(Report):
    """Collects findings, the edits that mend some of them, and what else findings point into."""

    def __init__(self) -> None:
        """Start with none."""
        super().__init__()
        self.edits: list[Edit] = []
        self.sources: dict[str, SourceFile] = {}

    def found(
        self,
        severity: Severity,
        code: str,
        message: str,
        place: Place,
        *,
        hints: tuple[str, ...] = (),
        edit: str | None = None,
    ) -> None:
        """Add a finding, with what to write at its place where that alone mends it."""
        self.diagnostics.append(Diagnostic(code, severity, message, place, None, hints))
        if edit is not None:
            self.edits.append(Edit(place, edit))


class Linted(NamedTuple):
    """The files that are linted, by their path in the folder.

    `modules` are the Python files, `texts` the others, `leftovers` the paths of `.rej`, `.orig` and
    `.new` files. `last` is the state of the last compile, None where trainspec did not write the
    folder; `stack` is the one of that compile, else the newest.
    """

    root: Path
    modules: Mapping[str, Module]
    texts: Mapping[str, SourceFile]
    leftovers: tuple[str, ...]
    last: Manifest | None
    stack: Stack

    @property
    def sources(self) -> dict[str, SourceFile]:
        """Every text by the name that places have."""
        modules = (module.source for module in self.modules.values())
        return {source.name: source for source in (*modules, *self.texts.values())}

    def sibling(self, name: str) -> Module | None:
        """Give the module of the folder that an import of this name finds."""
        return self.modules.get(f"{name.replace('.', '/')}.py")


def read_linted(path: Path, report: Report) -> Linted:
    """Read a folder, or one script with nothing around it; raises `Stop` where nothing is there.

    What cannot be read is reported and left out. A file of a project stands for its project.
    """
    root = path if path.is_dir() else path.parent
    compiled = is_compiled(root)
    if path.is_dir() or (compiled and path.exists()):
        found = list(_files(root))
    elif path.suffix == ".py" or not path.exists():
        found = [path.name]
    else:
        message = f"`{path}` is no Python file, and not in a project"
        report.error("not-a-file", message, Place(str(path), Span(0, 0)))
        raise Stop
    texts: dict[str, SourceFile] = {}
    for name in found:
        read = None if name.endswith(_LEFTOVERS) else _read(root / name, report)
        if read is not None:
            texts[name] = read
    scripts = [name for name in texts if name.endswith(".py")]
    if not scripts and not report.has_errors:
        message = f"there is no Python file in `{path}`"
        report.error("file-not-found", message, Place(str(path), Span(0, 0)))
    if not scripts:
        raise Stop
    leftovers = tuple(name for name in found if _is_leftover(name, set(found)))
    last = read_manifest(root) if compiled else None
    return linted_texts(root, texts, last, leftovers)


def linted_texts(
    root: Path,
    texts: Mapping[str, SourceFile],
    last: Manifest | None,
    leftovers: tuple[str, ...] = (),
) -> Linted:
    """Take texts by their path as if they were the files of a folder."""
    return Linted(
        root,
        {path: Module(path, text) for path, text in texts.items() if path.endswith(".py")},
        {path: text for path, text in texts.items() if not path.endswith(".py")},
        leftovers,
        last,
        _stack_of(last),
    )


def _stack_of(last: Manifest | None) -> Stack:
    """The version set of the last compile, which its pyproject.toml tells."""
    if last is None or last.stack not in known_stacks():
        return load_stack()
    asked = last.base.get("pyproject.toml", "")
    if '"unsloth' in asked:  # which may have vLLM as well
        return load_stack(last.stack, "unsloth")
    return load_stack(last.stack, "vllm" if '"vllm' in asked else "plain")


def _files(root: Path) -> Iterator[str]:
    """Give the paths of the Python files, the texts and the leftovers of a folder, sorted."""
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(name for name in folders if _is_read(here / name))
        for name in sorted(files):
            path = here / name
            is_read = path.suffix == ".py" or path.suffix in {*_TEXTS, *_LEFTOVERS}
            if is_read and path.is_file() and path.stat().st_size <= _LARGEST:
                yield path.relative_to(root).as_posix()


def _is_read(folder: Path) -> bool:
    hidden = folder.name.startswith(".") and folder.name != _WORKFLOWS
    # A project inside this one, and an environment, are linted by themselves or not at all.
    other = (folder / STATE_FOLDER).exists() or (folder / "pyvenv.cfg").exists()
    return not (hidden or other or folder.name in _MADE or folder.is_symlink())


def _is_leftover(name: str, names: set[str]) -> bool:
    """Whether a file is one that a merge or a patch left; `.new` and `.orig` only beside theirs."""
    path = PurePosixPath(name)
    return path.suffix == ".rej" or (
        path.suffix in _LEFTOVERS and name.removesuffix(path.suffix) in names
    )


def _read(path: Path, report: Report) -> SourceFile | None:
    found = Report()
    try:
        return read_source(path, found)
    except Stop:
        # Text in another encoding is no fault where it is not Python.
        report.diagnostics += found.diagnostics if path.suffix == ".py" else []
        return None
