"""A notebook from its page: prose and code in Markdown become cells, with the files they write.

The format is nbformat 4.5, written as Jupyter writes it: sorted keys, one space of indent, a list
of lines for each cell. Outputs are left out.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["make_notebook", "with_files"]

# A fence with the name of its cell, at the start of a line; prose has no such line, for what is the
# user's in it is escaped.
_FENCE = re.compile(r"^```(json|python) ([\w-]+)( folded)?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_WRITE = "%%writefile "
_LONGEST = 64  # characters of a cell's name, by nbformat


def make_notebook(page: str, read: Callable[[str], str]) -> str:
    """Give the notebook that a page describes.

    It begins with JSON in a fence, which Jupyter and the hosts of notebooks read before they run
    it. Python in a fence is a cell named by the fence; where it is `%%writefile PATH` alone, the
    file's text follows, which `read` gives. The text between is a cell of prose, named by its
    heading; the first one is called `about`.
    """
    metadata: dict[str, Any] = {}
    cells: list[_Cell] = []
    folded: list[str] = []
    _, *rest = _FENCE.split(page)
    for language, name, is_folded, code, after in zip(*[iter(rest)] * 5, strict=True):
        if language == "json":
            metadata = json.loads(code)
        else:
            if is_folded and cells[-1].is_prose:
                folded.append(cells[-1].name)
            cells.append(_Cell(name, _with_file(code, read), folds=bool(is_folded)))
        if prose := after.strip("\n"):
            cells.append(_Cell(_heading(prose) if cells else "about", prose, is_prose=True))
    if folded:
        metadata.setdefault("colab", {})["collapsed_sections"] = folded
    notebook = {
        "cells": [*_written(cells)],
        "metadata": metadata,
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return _text(notebook)


def with_files(notebook: str, texts: Mapping[str, str]) -> str:
    """Give a notebook that was made here with other texts of the files that its cells write."""
    table = json.loads(notebook)
    for cell in table["cells"]:
        first = "".join(cell["source"]).partition("\n")[0]
        path = first.removeprefix(_WRITE)
        if path != first and texts.get(path, "").strip():
            cell["source"] = _lines(f"{first}\n{texts[path]}".removesuffix("\n"))
    return _text(table)


class _Cell(NamedTuple):
    name: str
    text: str
    is_prose: bool = False
    folds: bool = False


def _with_file(code: str, read: Callable[[str], str]) -> str:
    first, _, body = code.partition("\n")
    if body or not first.startswith(_WRITE):
        return code
    return f"{first}\n{read(first.removeprefix(_WRITE))}"


def _heading(prose: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", prose.partition("\n")[0].lower()).strip("-")


def _written(cells: list[_Cell]) -> Iterator[dict[str, Any]]:
    names: set[str] = set()
    for cell in cells:
        name = _short(cell.name)
        while name in names:
            name = _short(f"{cell.name}-{len(names)}")
        names.add(name)
        # Colab looks for the name in the metadata.
        usual: dict[str, Any] = {"id": name, "metadata": {"id": name}}
        if cell.is_prose:
            yield {**usual, "cell_type": "markdown", "source": _lines(cell.text)}
            continue
        if cell.folds:  # as JupyterLab and as Kaggle know it
            usual["metadata"] |= {"jupyter": {"source_hidden": True}, "_kg_hide-input": True}
        # A cell's last line has no end; IPython gives it one where it writes a file.
        source = _lines(cell.text.removesuffix("\n"))
        code = {"cell_type": "code", "execution_count": None, "outputs": [], "source": source}
        yield {**usual, **code}


def _short(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{name[: _LONGEST - len(digest) - 1]}-{digest}"


def _text(notebook: dict[str, Any]) -> str:
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)
