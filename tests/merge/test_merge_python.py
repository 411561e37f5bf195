"""Random Python files and random edits of both sides, merged by meaning."""

import ast
import random
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.merge import Labels, has_markers
from compiler.merge.markers import render
from compiler.merge.python_merge import merge_python
from compiler.merge.python_source import PythonSource
from compiler.merge.statements import read_module
from tests.merge.merging import merged

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(path for name in ("examples", "compiler") for path in (ROOT / name).rglob("*.py"))


def call(arguments: dict[str, int]) -> str:
    lines = "".join(f"        {name}={value},\n" for name, value in arguments.items())
    return f"def build() -> GRPOConfig:\n    return GRPOConfig(\n{lines}    )\n"


def test_keywords_of_one_call_change_apart() -> None:
    for seed in range(200):
        merge_keywords(random.Random(seed))


def merge_keywords(drawn: random.Random) -> None:
    """Merge 18 keywords, of which the user changes three and the compiler five others."""
    base = {f"keyword_{number}": drawn.randrange(100) for number in range(18)}
    chosen = drawn.sample(sorted(base), 8)
    mine = base | {name: base[name] + 1000 for name in chosen[:3]}
    new = base | {name: base[name] + 2000 for name in chosen[3:]}
    both = mine | {name: new[name] for name in chosen[3:]}
    assert merged(call(base), call(mine), call(new)) == (call(both), 0)

    clash = chosen[0]
    result, conflicts = merged(call(base), call(mine), call(new | {clash: 5}))
    assert conflicts == 1
    block = (
        f"<<<<<<< yours\n        {clash}={mine[clash]},\n"
        f"||||||| last compile\n        {clash}={base[clash]},\n"
        f"=======\n        {clash}=5,\n>>>>>>> this compile\n"
    )
    assert result == call(both).replace(f"        {clash}={mine[clash]},\n", block)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_is_read_to_its_last_byte(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert read_module(PythonSource(text)).text == text


class Edit(NamedTuple):
    """Another text in the place of a stretch of a file."""

    start: int
    end: int
    text: str


@cache
def spots(text: str) -> list[tuple[str, int, int]]:
    """Give the places at which a file can be edited: values of arguments, and statements."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: list[tuple[str, int, int]] = []
    for node in ast.walk(ast.parse(text)):
        values = [word.value for word in node.keywords] if isinstance(node, ast.Call) else []
        values += node.values if isinstance(node, ast.Dict) else []
        found += [
            ("value", starts[value.lineno - 1] + value.col_offset, end)
            for value in values
            if isinstance(value, ast.Constant | ast.Name) and value.lineno == value.end_lineno
            if (end := starts[value.lineno - 1] + (value.end_col_offset or 0))
        ]
        body = getattr(node, "body", [])
        for statement in body if isinstance(body, list) and len(body) > 1 else []:
            if isinstance(statement, ast.stmt) and not isinstance(statement, ast.Expr):
                first = min([statement.lineno, *(each.lineno for each in decorators(statement))])
                found.append(("statement", starts[first - 1], starts[statement.end_lineno or 0]))
    return found


def decorators(statement: ast.stmt) -> list[ast.expr]:
    return getattr(statement, "decorator_list", [])


def draw_edits(drawn: random.Random, text: str, name: str) -> list[Edit]:
    edits: list[Edit] = []
    for number in range(drawn.randrange(1, 5)):
        kind, start, end = drawn.choice(spots(text))
        blanks = " " * (len(text[start:]) - len(text[start:].lstrip(" ")))
        written = f"{blanks}{name}_{number}"
        if kind == "value":
            edits.append(Edit(start, end, f"{name}_{number}"))
        else:
            insert = Edit(start, start, f"{written} = {number}\n")
            comment = Edit(start, start, f"{blanks}# {name} {number}\n")
            replace, delete = Edit(start, end, f"{written}()\n"), Edit(start, end, "")
            edits.append(drawn.choice([insert, comment, replace, delete]))
    return edits


def edited(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def apart(edits: list[Edit]) -> bool:
    ordered = sorted(edits)
    return all(one.end < other.start for one, other in pairwise(ordered))


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def test_edits_at_different_places_of_real_files_are_all_made() -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES if "examples" in path.parts]
    texts = [text for text in texts if text.isascii() and spots(text)]
    done = 0
    for seed in range(120):
        drawn = random.Random(seed)
        text = drawn.choice(texts)
        mine, new = draw_edits(drawn, text, "mine"), draw_edits(drawn, text, "new")
        sides = [edited(text, edits) for edits in (mine, new, mine + new)]
        if apart(mine + new) and all(map(parses, sides)):
            parts = merge_python(text, sides[0], sides[1])
            assert parts is not None, seed
            result, conflicts = render(parts, Labels())
            assert conflicts == 0, seed
            assert ast.dump(ast.parse(result)) == ast.dump(ast.parse(sides[2])), seed
            comments = [edit.text for edit in mine + new if "#" in edit.text]
            assert all(comment in result for comment in comments), seed
            done += 1
    assert done > 50


VALUES = st.sampled_from(["1", "2", '"text"', "f(x=1)", "[1, 2]", "None"])
STATEMENTS = st.one_of(
    st.builds("{} = {}\n".format, st.sampled_from("abc"), VALUES),
    st.builds("call({}={}, {}={})\n".format, st.just("p"), VALUES, st.just("q"), VALUES),
    st.builds(
        "def {}() -> None:\n    first({})\n    # why\n    return {}\n".format,
        st.sampled_from("fgh"),
        VALUES,
        VALUES,
    ),
    st.builds("from lib import {}, {}\n".format, st.sampled_from("mn"), st.sampled_from("op")),
    st.builds("X = [\n    {},  # one\n    {},\n]\n".format, VALUES, VALUES),
    st.builds("if {}:\n    run({})\n".format, VALUES, VALUES),
    st.sampled_from(["# a comment\n", "\n", "import os\n", '"""Text.\n\nMore.\n"""\n']),
)
MODULES = st.lists(STATEMENTS, max_size=6).map("".join)


@settings(max_examples=80, deadline=None)
@given(MODULES, MODULES, MODULES)
def test_modules_keep_the_laws(base: str, mine: str, new: str) -> None:
    result, conflicts = merged(base, mine, new)
    assert has_markers(result) == (conflicts > 0)
    assert merged(new, result, new) == (result, 0)
    assert merged(base, base, new) == (new, 0)
    assert merged(base, mine, base) == (mine, 0)
    assert merged(base, mine, mine) == (mine, 0)
    words = [Counter(text.replace(",", " ").split()) for text in (base, mine, result)]
    assert not (words[1] - words[0]).keys() - words[2].keys()
    if not conflicts:
        ast.parse(result)


# A comment of the compiler's goes with what it says; one of the user's is theirs to lose.
BARE = MODULES.map(lambda text: re.sub(r" *#.*", "", text))


@settings(max_examples=300, deadline=None)
@given(BARE, BARE, BARE)
def test_conflicts_are_the_same_from_either_side(base: str, mine: str, new: str) -> None:
    found = [merge_python(base, *sides) for sides in ((mine, new), (new, mine))]
    assert [parts is None for parts in found] in ([True, True], [False, False])
    counts = [render(parts or [], Labels())[1] for parts in found]
    assert counts[0] == counts[1]
