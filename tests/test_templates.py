"""The templates are themselves valid, and decide nothing."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.places import templates_folder

PYTHON = sorted((templates_folder() / "project").rglob("*.py.jinja"))
TEXT = sorted(set((templates_folder() / "project").rglob("*.jinja")) - set(PYTHON))
STATEMENT = re.compile(r"^\s*# jinja: (.*)$", re.MULTILINE)


def name(path: Path) -> str:
    return path.relative_to(templates_folder()).as_posix()


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_template_of_a_python_file_is_python(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_template_names_its_context_first(path: Path) -> None:
    assert re.match(
        r"# context: (compiler\.plan\.\w+\.\w+|none)\n", path.read_text(encoding="utf-8")
    )


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_template_asks_for_presence_only(path: Path) -> None:
    allowed = re.compile(r"if plan(\.\w+)+|else|endif|endfor|for \w+ in \w+(\.\w+)+|if \w+(\.\w+)+")
    for statement in STATEMENT.findall(path.read_text(encoding="utf-8")):
        assert allowed.fullmatch(statement), statement


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_template_places_attributes_and_calls_nothing(path: Path) -> None:
    for expression in re.findall(r"\{\{(.*?)\}\}", path.read_text(encoding="utf-8")):
        assert re.fullmatch(r"\w+(\.\w+)*", expression), expression


@pytest.mark.parametrize("path", PYTHON, ids=name)
def test_a_template_nests_at_most_twice(path: Path) -> None:
    depth = deepest = 0
    for statement in STATEMENT.findall(path.read_text(encoding="utf-8")):
        depth += {"if": 1, "fo": 1, "en": -1, "el": 0}[statement[:2]]
        deepest = max(deepest, depth)
    assert depth == 0
    assert deepest <= 2


@pytest.mark.parametrize(
    "folder", ["alarms", "answers", "data", "evaluation", "reports", "rewards", "weights"]
)
def test_the_pieces_are_clean_python(folder: str) -> None:
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E9,F,I,B,UP"]
    done = subprocess.run(
        [*ruff, str(templates_folder() / folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
