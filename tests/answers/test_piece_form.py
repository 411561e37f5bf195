"""Every piece has the form that lets it be copied into a project."""

import ast
import sys
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "templates"
ANSWERS = sorted((TEMPLATES / "answers").glob("*.py"))
REWARDS = sorted((TEMPLATES / "rewards").glob("*.py"))
OF_OTHERS = {
    "latex2sympy2_extended",
    "math_verify",
    "sympy",
    "jsonschema",
    "py3langid",
    "torch",
    "transformers",
}  # packages that a project then needs
# The project's own modules: answers.py, and generated.py with its piece.
OF_THE_PROJECT = {"answers", "verdict"}


def top_level_names(piece: Path) -> list[str]:
    names: list[str] = []
    for statement in ast.parse(piece.read_text("utf-8")).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.append(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.append(name)
            case ast.Assign(targets=[ast.Tuple(elts=elements)]):
                names += [each.id for each in elements if isinstance(each, ast.Name)]
            case _:
                pass
    return names


@pytest.mark.parametrize("piece", ANSWERS + REWARDS, ids=lambda piece: piece.stem)
def test_a_piece_holds_only_what_can_be_copied(piece: Path) -> None:
    body = ast.parse(piece.read_text("utf-8")).body
    siblings = {sibling.stem for sibling in ANSWERS + REWARDS} | OF_THE_PROJECT
    assert isinstance(body[0], ast.Expr), "the module's docstring comes first"
    for statement in body[1:]:
        match statement:
            case ast.Import(names=names):
                known = OF_OTHERS | set(sys.stdlib_module_names)
                assert all(alias.name.partition(".")[0] in known for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                known = siblings | OF_OTHERS | set(sys.stdlib_module_names)
                assert module.partition(".")[0] in known
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                assert name[0].isupper(), "a constant, or the name of a type"
            case ast.Assign(targets=[ast.Tuple(elts=elements)]):
                assert all(isinstance(each, ast.Name) and each.id.isupper() for each in elements)
            case ast.AugAssign() | ast.For() | ast.ClassDef() | ast.FunctionDef():
                pass
            case _:
                pytest.fail(f"line {statement.lineno} of {piece.name} cannot be copied")


@pytest.mark.parametrize("pieces", [ANSWERS, REWARDS], ids=["answers", "rewards"])
def test_no_name_stands_in_two_pieces_of_a_kind(pieces: list[Path]) -> None:
    names = [name for piece in pieces for name in top_level_names(piece)]
    assert sorted(names) == sorted(set(names))
