"""A notebook merged cell by cell: by lines its JSON would break, and Jupyter writes all of it anew.

Cells are told apart by their names. Outputs, counts and all else that a run leaves are its owner's.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from compiler.merge.lines import merge_lines
from compiler.merge.markers import Labels, Part, render, split_lines

__all__ = ["merge_notebook"]

_Table = dict[str, Any]
_WRITTEN = re.compile(r"%%writefile \S+\.py\n")


class _Book(NamedTuple):
    """A notebook, and its cells by their names."""

    table: _Table
    cells: dict[str, _Table]


def merge_notebook(base: str, mine: str, new: str, labels: Labels) -> tuple[str, int] | None:
    """Give the merged notebook in the form of `mine`, and how many conflicts its cells show.

    A cell that writes a Python file is merged as that file would be, any other by lines; markers
    stand inside a cell, so that the notebook can still be opened. None where one of the three is no
    notebook, or where two of its cells have one name.
    """
    first = _read(base, ())
    if first is None:
        return None
    books = [_read(text, first.cells) for text in (mine, new)]
    if None in books:
        return None
    ours, theirs = cast("list[_Book]", books)
    conflicts = 0
    cells: list[_Table] = []
    for name in _order(first, ours, theirs):
        cell, count = _merge_cell(
            *(book.cells.get(name) for book in (first, ours, theirs)), labels=labels
        )
        cells.append(cell)
        conflicts += count
    metadata = _merge_table(*(book.table["metadata"] for book in (first, ours, theirs)))
    merged = {**ours.table, "cells": cells, "metadata": metadata}
    return (mine if merged == ours.table else _written(merged, mine)), conflicts


def _read(text: str, known: Mapping[str, _Table] | tuple[()]) -> _Book | None:
    """The notebook with its cells by name; `known` are those of the last compile."""
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match table:
        case {"cells": [*found], "metadata": {}, "nbformat": 4}:
            cells: dict[str, _Table] = {}
            for cell in cast("list[_Table]", found):
                name = _name(cell, known)
                if name is None or name in cells:
                    return None
                cells[name] = cell
            return _Book(cast("_Table", table), cells)
        case _:
            return None


def _name(cell: _Table, known: Mapping[str, _Table] | tuple[()]) -> str | None:
    """A cell's name: Jupyter keeps it in the cell, Colab in the metadata of the cell."""
    match cell:
        case {"source": str() | [*_], "metadata": {}}:
            names = (cell.get("id"), cell["metadata"].get("id"))
            told = [name for name in names if isinstance(name, str)]
            return next((name for name in told if name in known), next(iter(told), None))
        case _:
            return None


def _order(base: _Book, mine: _Book, new: _Book) -> list[str]:
    """The names of the merged cells: in the new order where that has changed, else in mine."""
    names = [name for name in new.cells if name in mine.cells or name not in base.cells]
    if [*base.cells] == [*new.cells]:
        names = [name for name in mine.cells if name in new.cells]
    before: str | None = None
    for name in mine.cells:
        if name not in names and (name not in base.cells or _is_edited(name, base, mine)):
            names.insert(0 if before is None else names.index(before) + 1, name)
        before = name if name in names else before
    return names


def _is_edited(name: str, base: _Book, mine: _Book) -> bool:
    return _source(base.cells[name]) != _source(mine.cells[name])


def _merge_cell(
    base: _Table | None, mine: _Table | None, new: _Table | None, *, labels: Labels
) -> tuple[_Table, int]:
    if mine is None or new is None:
        return mine or new or {}, 0
    texts = ["" if cell is None else f"{_source(cell)}\n" for cell in (base, mine, new)]
    text, conflicts = render([*_merge_source(*texts)], labels)
    text = text.removesuffix("\n")
    table = _merge_table((base or new)["metadata"], mine["metadata"], new["metadata"])
    source = split_lines(text) if isinstance(mine["source"], list) else text
    return {**mine, "metadata": table, "source": source}, conflicts


def _merge_source(base: str, mine: str, new: str) -> Iterator[Part]:
    heads = {found[0] if (found := _WRITTEN.match(text)) else "" for text in (base, mine, new)}
    head = heads.pop()
    if head and not heads and len({base, mine, new}) == 3:  # noqa: PLR2004  # both sides changed it
        from compiler.merge.python_merge import merge_python  # few merges need it

        parts = merge_python(*(text.removeprefix(head) for text in (base, mine, new)))
        if parts is not None:
            yield head
            yield from parts
            return
    yield from merge_lines(base, mine, new)


def _source(cell: _Table) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _merge_table(base: _Table, mine: _Table, new: _Table) -> _Table:
    """What has changed of a table, made to mine."""
    changed = {key: value for key, value in new.items() if base.get(key) != value}
    gone = {key for key in base if key not in new and mine.get(key) == base[key]}
    return {key: value for key, value in {**mine, **changed}.items() if key not in gone}


def _written(table: _Table, mine: str) -> str:
    """The notebook as JSON, indented as `mine` is, and ended like it."""
    found = re.search(r"\n( +)\S", mine)
    indent = len(found[1]) if found else None
    return json.dumps(table, indent=indent, ensure_ascii=False) + "\n" * mine.endswith("\n")
