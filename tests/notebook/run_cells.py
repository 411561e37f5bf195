"""Runs the cells of a notebook in order, in the folder that it is in, as a host would.

`python run_cells.py NOTEBOOK` prints what each cell prints, and stops with 1 at one that fails.
The cell that installs is not run: what it asks for has to be installed.
"""

import json
import os
import re
import shlex
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from packaging.requirements import Requirement


def main(path: Path) -> None:
    os.chdir(path.parent)
    sys.path.insert(0, "")
    # `!python` is the Python of a host, which has the packages.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    shell = InteractiveShell.instance()
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        sys.stdout.write(f"== {cell['id']}\n")
        sys.stdout.flush()
        source = "".join(cell["source"])
        if cell["id"] == "install":
            require(source)
            continue
        result: Any = shell.run_cell(source, store_history=True)
        if not result.success or shell.user_ns.get("_exit_code", 0) != 0:
            sys.exit(f"the cell {cell['id']} failed")


def require(source: str) -> None:
    """Hold each package that a cell installs against the one that is here."""
    line = re.search(r"^%pip install (.*)$", source, re.MULTILINE)
    assert line is not None
    for word in shlex.split(line[1]):
        if not word.startswith("-"):
            asked = Requirement(word)
            assert asked.specifier.contains(version(asked.name), prereleases=True), word


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
