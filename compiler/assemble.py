"""One Python module from a rendered template and the library pieces that it uses."""

import ast
from collections.abc import Callable, Mapping
from typing import NamedTuple

__all__ = ["assemble"]

MAIN = 'if __name__ == "__main__":'


class Piece(NamedTuple):
    """A library module taken apart: its imports, the pieces it needs, and its definitions."""

    imports: tuple[str, ...]
    needs: tuple[tuple[str, str], ...]
    body: str


def assemble(
    source: str,
    pieces: tuple[str, ...],
    read_piece: Callable[[str], str | None],
    provided: Mapping[str, str],
) -> str:
    """Add the definitions of `pieces`, and of the pieces these import, to a module's text.

    `read_piece` gives a piece's text by its name, or None where no piece has that name, so that the
    import is one of a library or of the project. `provided` names the modules of the project that
    already hold a piece: it is imported from there. Each piece is added once, in the order of need.
    """
    imports: list[str] = []
    bodies: list[str] = []
    waiting = list(pieces)
    seen: set[str] = set()
    while waiting:
        name = waiting.pop(0)
        if name in seen:
            continue
        seen.add(name)
        piece = _take_apart(read_piece(name) or "", read_piece)
        imports += piece.imports
        bodies.append(piece.body)
        for needed, names in piece.needs:
            if needed in provided:
                imports.append(f"from {provided[needed]} import {names}")
            else:
                waiting.append(needed)
    return _insert(source, imports, bodies)


def _take_apart(text: str, read_piece: Callable[[str], str | None]) -> Piece:
    """The parts of a piece; its docstring speaks to our readers and is left behind."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    imports: list[str] = []
    needs: list[tuple[str, str]] = []
    for node in tree.body:
        statement = "".join(lines[node.lineno - 1 : node.end_lineno])
        match node:
            case ast.ImportFrom(module=str(module)) if read_piece(module) is not None:
                needs.append((module, ", ".join(alias.name for alias in node.names)))
            case ast.Import() | ast.ImportFrom():
                imports.append(statement.strip())
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                continue
        for number in range(node.lineno - 1, node.end_lineno or node.lineno):
            lines[number] = ""
    return Piece(tuple(imports), tuple(needs), "".join(lines).strip("\n"))


def _insert(source: str, imports: list[str], bodies: list[str]) -> str:
    """The module with imports behind its docstring and definitions in front of its main part."""
    lines = source.splitlines(keepends=True)
    first = ast.parse(source).body[0]
    head, rest = "".join(lines[: first.end_lineno]), "".join(lines[first.end_lineno :])
    definitions = "\n\n\n".join(bodies)
    before, main, after = rest.partition(MAIN)
    parts = [
        head,
        "\n".join(imports),
        before.rstrip("\n"),
        "\n\n\n" + definitions,
        "\n\n\n" + main + after,
    ]
    return "\n".join(part for part in parts if part.strip("\n")) + "\n"
