"""Files that are not Python, line by line, beside what git makes of them."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.merge import Labels, has_markers, merge_file
from tests.merge.merging import lost_lines, merged

LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "", "  a"]), max_size=12)
TEXTS = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))


def test_neighbouring_lines_change_apart() -> None:
    base = "[tool]\none = 1\ntwo = 2\nthree = 3\n"
    mine = base.replace("one = 1", "one = 10")
    new = base.replace("two = 2", "two = 20")
    assert merged(base, mine, new, "pyproject.toml") == (
        "[tool]\none = 10\ntwo = 20\nthree = 3\n",
        0,
    )


def test_a_conflict_holds_no_line_that_both_sides_have() -> None:
    base = "# Title\n\nold\n\nend\n"
    mine = "# Title\n\nsame\nmine\n\nend\n"
    new = "# Title\n\nsame\nnew\n\nend\n"
    expected = (
        "# Title\n\nsame\n<<<<<<< yours\nmine\n||||||| last compile\nold\n=======\nnew\n"
        ">>>>>>> this compile\n\nend\n"
    )
    assert merged(base, mine, new, "README.md") == (expected, 1)


def test_the_labels_are_the_callers() -> None:
    labels = Labels("here", "before", "there")
    found = merge_file("a.md", "old\n", b"mine\n", "new\n", labels=labels)
    assert found == (
        b"<<<<<<< here\nmine\n||||||| before\nold\n=======\nnew\n>>>>>>> there\n",
        1,
    )


@settings(deadline=None)
@given(TEXTS, TEXTS, TEXTS)
def test_lines_keep_their_laws(base: str, mine: str, new: str) -> None:
    result, conflicts = merged(base, mine, new, "file.md")
    assert not lost_lines(base, mine, result)
    assert has_markers(result) == (conflicts > 0)
    assert merged(new, result, new, "file.md") == (result, 0)
    assert merged(base, base, new, "file.md") == (new, 0)
    assert merged(base, mine, base, "file.md") == (mine, 0)
    assert merged(base, mine, mine, "file.md") == (mine, 0)
    assert merged(base, new, mine, "file.md")[1] == conflicts


def scattered(seed: int) -> tuple[str, str, str]:
    """Draw forty different lines, and edits of each side that lie at least two lines apart."""
    drawn = random.Random(seed)
    base = [f"line {number}\n" for number in range(40)]
    sides = [list(base), list(base)]
    for number in range(0, 40, 3):
        edited = drawn.choice(sides)
        match drawn.randrange(4):
            case 0:
                edited[number] = ""
            case 1:
                edited[number] = f"changed {number}\n"
            case 2:
                edited[number] += f"added {number}\nand {number}\n"
            case _:
                pass
    return "".join(base), "".join(sides[0]), "".join(sides[1])


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git to compare with")
def test_lines_are_merged_as_git_merges_them(tmp_path: Path) -> None:
    for seed in range(40):
        texts = scattered(seed)
        paths = [tmp_path / name for name in ("mine", "base", "new")]
        for path, text in zip(paths, (texts[1], texts[0], texts[2]), strict=True):
            path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["git", "merge-file", "-p", *paths], capture_output=True, text=True, check=True
        )
        assert merged(*texts, "file.md") == (done.stdout, 0)


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< yours\n",
        "a\n||||||| last compile\nb\n",
        "a\n>>>>>>> this compile",
        "a\r\n<<<<<<<\r\n",
    ],
)
def test_a_line_of_a_conflict_is_a_marker(text: str) -> None:
    assert has_markers(text)


@pytest.mark.parametrize(
    "text",
    [
        "Title\n=======\n",
        "a <<<<<<< b\n",
        "<<<<<<<< eight\n",
        ">>>>>>>> eight\n",
        "| a | b |\n",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert not has_markers(text)
