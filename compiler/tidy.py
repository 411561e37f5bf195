"""Ruff's import order and format over a tree of files, in a folder of its own."""

import subprocess
import tempfile
from pathlib import Path

from ruff.__main__ import (  # pyright: ignore[reportMissingTypeStubs]  # ruff has none
    find_ruff_bin,
)

__all__ = ["TidyError", "ruff_options", "run_ruff", "tidy"]

LINE_LENGTH = 100


class TidyError(Exception):
    """Ruff found a fault in text that the compiler wrote, which is a bug of the compiler."""


def tidy(tree: dict[str, str], modules: tuple[str, ...]) -> dict[str, str]:
    """The tree with its Python files sorted, formatted and found free of unused or undefined names.

    `modules` are the project's own import names, which sort behind those of libraries. Raises
    `TidyError` where a file does not parse or holds such a name.
    """
    with tempfile.TemporaryDirectory(prefix="trainspec-") as folder:
        root = Path(folder)
        paths = [path for path in tree if path.endswith(".py")]
        for path in paths:
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(tree[path], encoding="utf-8", newline="")
        options = ruff_options(modules)
        run_ruff("check", "--fix", "--select", "E9,F,I", *options, folder)
        run_ruff("format", *options, folder)
        return tree | {path: (root / path).read_text(encoding="utf-8") for path in paths}


def ruff_options(modules: tuple[str, ...]) -> tuple[str, ...]:
    """How ruff formats and sorts what is written, whatever configuration lies around it."""
    first_party = ", ".join(f'"{module}"' for module in modules)
    return (
        *("--isolated", "--no-cache", "--quiet", "--config", f"line-length = {LINE_LENGTH}"),
        *("--config", 'target-version = "py311"'),
        *("--config", f"lint.isort.known-first-party = [{first_party}]"),
    )


def run_ruff(*arguments: str) -> None:
    """Run the ruff that is installed beside us; raises `TidyError` with what it says."""
    done = subprocess.run(
        [find_ruff_bin(), *arguments], capture_output=True, text=True, check=False, encoding="utf-8"
    )
    if done.returncode != 0:
        raise TidyError(done.stdout + done.stderr)
