"""The library modules that generated projects take their functions from."""

import ast
from functools import cache

from compiler.places import templates_folder

__all__ = ["read_piece", "with_needs"]

FOLDERS = ("alarms", "answers", "data", "evaluation", "reports", "rewards", "weights")


@cache
def read_piece(name: str) -> str | None:
    """The text of a piece, or None where no piece has that name."""
    for folder in FOLDERS:
        path = templates_folder() / folder / f"{name}.py"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return None


def with_needs(names: tuple[str, ...]) -> tuple[str, ...]:
    """These pieces and all that they import, directly or not, each once."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = None
            imports = ast.walk(ast.parse(read_piece(name) or ""))
            modules = (node.module for node in imports if isinstance(node, ast.ImportFrom))
            waiting += [module for module in modules if module and read_piece(module) is not None]
    return tuple(found)
