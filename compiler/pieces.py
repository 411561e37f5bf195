"""The library modules that generated projects take their functions from."""

from functools import cache

from compiler.places import templates_folder

__all__ = ["read_piece"]

FOLDERS = ("answers", "data", "rewards")


@cache
def read_piece(name: str) -> str | None:
    """The text of a piece, or None where no piece has that name."""
    for folder in FOLDERS:
        path = templates_folder() / folder / f"{name}.py"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return None
