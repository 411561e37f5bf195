"""Runs the cells of a notebook in order, in the folder that it is in, as a host would.

`python run_cells.py NOTEBOOK [OLD NEW]...` prints what each cell prints, and stops with 1 at one
that fails. What a GPU is needed for is replaced in the files once the cells have written them, and
each replacement has to be made somewhere. The cell that installs is not run: what the project asks
for has to be installed.
"""

import json
import os
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from packaging.requirements import Requirement


def main(path: Path, replacements: dict[str, str]) -> None:
    os.chdir(path.parent)
    sys.path.insert(0, "")
    # `!python` is the Python of a host, which has the packages.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    waiting = {*replacements}
    shell = InteractiveShell.instance()
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        sys.stdout.write(f"== {cell['id']}\n")
        sys.stdout.flush()
        source = "".join(cell["source"])
        if cell["id"] == "install":
            require()
            continue
        result: Any = shell.run_cell(source, store_history=True)
        if not result.success or shell.user_ns.get("_exit_code", 0) != 0:
            sys.exit(f"the cell {cell['id']} failed")
        if source.startswith("%%writefile "):
            waiting -= replace(Path(source.split()[1]), replacements)
    assert not waiting, f"nothing says {waiting}"


def replace(path: Path, replacements: dict[str, str]) -> set[str]:
    """Write a file with other texts for what this machine does not have; say which it had."""
    text = path.read_text(encoding="utf-8")
    found = {old for old in replacements if old in text}
    for old in found:
        sys.stdout.write(f"in {path}: {old} -> {replacements[old]}\n")
        text = text.replace(old, replacements[old])
    path.write_text(text, encoding="utf-8")
    return found


def require() -> None:
    """Hold each package that the project asks for against the one that is here."""
    with Path("pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    for text in project["dependencies"]:
        asked = Requirement(text)
        assert asked.specifier.contains(version(asked.name), prereleases=True), text


if __name__ == "__main__":
    words = iter(sys.argv[2:])
    main(Path(sys.argv[1]).resolve(), dict(zip(words, words, strict=True)))
