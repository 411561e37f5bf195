"""A merged Python file in the format that its owner keeps."""

import tempfile
from pathlib import Path

from compiler.tidy import TidyError, ruff_options, run_ruff

__all__ = ["formatted_like"]


def formatted_like(mine: str, merged: str, modules: tuple[str, ...]) -> str:
    """Format the merged text by ruff where `mine` is so, and sort its imports where `mine` does.

    As the compiler formats what it writes. A file in any other format is left as the merge
    gives it: to format it would change lines that nobody changed.
    """
    with tempfile.TemporaryDirectory(prefix="trainspec-") as folder:
        root = Path(folder)
        for kind in ("sorted", "plain"):
            (root / kind).mkdir()
            (root / kind / "mine.py").write_text(mine, encoding="utf-8", newline="")
            (root / kind / "merged.py").write_text(merged, encoding="utf-8", newline="")
        options = ruff_options(modules)
        try:
            run_ruff("check", "--fix", "--select", "I", *options, f"{root / 'sorted'}")
            run_ruff("format", *options, folder)
        except TidyError:
            # Ruff's parser holds to Python 3.11, and the file may use what came later.
            return merged
        for kind in ("sorted", "plain"):
            if (root / kind / "mine.py").read_text(encoding="utf-8") == mine:
                return (root / kind / "merged.py").read_text(encoding="utf-8")
    return merged
