"""Every case of the field that has to be served by now is tested or told of."""

import re
from pathlib import Path

HERE = Path(__file__).parent
ANSWERS = "2 3 5 6 8 9 11 12 14 15 17 18 20 21 23 24 26 27 29 30 32 33 35 36 38 39 41 174"
FORMATS = "42 44 45 47 48 50"
SIGNALS = "51 53 54 56 57 59 60 62 63 65 66 68 69 176"
HARDWARE = "80"
CODE = "134 135 137 138 140 141"
TEMPLATES = "90 92 93 95 96 98 99 101 102"
RESUME_AND_EXPORT = "113 114 116 180 182 183"
DRIFT = "117 119 120 122 123"
PREFERENCES_AND_CHAINS = "104 105 107 108 110 111"
DATA_SETS = "125 126 128 129"
OFFLINE = "131 132 185"
ROLLOUT = "77 78 81 83 179"
BATCHES = "71 72 74 177"
VERSIONS = "75 84 86 87 89"


def numbers_in(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", text)}


def with_a_test() -> set[int]:
    """The numbers in the names of tests: `test_field_23_and_24_...` carries two."""
    names = re.findall(
        r"def test_field_((?:\d+_(?:and_)?)+)",
        "".join(path.read_text("utf-8") for path in sorted(HERE.parent.rglob("test_*.py"))),
    )
    return {number for name in names for number in numbers_in(name.replace("_", " "))}


def told() -> set[int]:
    """The numbers in the first column of the table."""
    rows = re.findall(r"^\| (\d+) \|", (HERE / "README.md").read_text("utf-8"), re.MULTILINE)
    return set(map(int, rows))


def test_every_case_is_tested_or_told() -> None:
    cases = numbers_in(
        f"{ANSWERS} {FORMATS} {SIGNALS} {CODE} {TEMPLATES} {PREFERENCES_AND_CHAINS} "
        f"{RESUME_AND_EXPORT} {DRIFT} {DATA_SETS} {OFFLINE} {ROLLOUT} {BATCHES} {VERSIONS} "
        f"{HARDWARE}"
    )
    assert cases <= with_a_test() | told()
    assert told() <= cases
