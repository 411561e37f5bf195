"""Each text in `cases/` is three versions of a Python file and what their merge must be."""

import re
from pathlib import Path

import pytest

from tests.merge.merging import merged

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_is_merged_as_it_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    _, base, mine, new, expected = re.split(r"^=== .*\n", text, flags=re.MULTILINE)
    conflicts = int(re.search(r"^=== merged, (\d+) conflicts$", text, re.MULTILINE)[1])
    assert merged(base, mine, new) == (expected, conflicts)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_merged_is_merged_with_nothing(path: Path) -> None:
    _, base, mine, new, result = re.split(
        r"^=== .*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert merged(new, result, new) == (result, 0)
    assert merged(base, base, new) == (new, 0)
    assert merged(base, mine, base) == (mine, 0)
    assert merged(base, mine, mine) == (mine, 0)
