"""The cost of the user's patterns is judged by how it grows, and safe shapes cost no process."""

import re
import subprocess
from pathlib import Path

import pytest

from compiler.rules.pattern_shape import is_safe, words_of
from compiler.rules.patterns import exploding_text
from tests.field.test_mix import said
from tests.projects import SPEC

EXPLODING = [
    r"(a+)+$",
    r"(\w+\s?)+:",
    r"(?s)<a>(.|\n)*</a>",
    r"(a|a)*b",
    r"(?:a|ab|b)*c",
    r'([^"]*,?)*"',
    r"^(([a-z])+.)+[A-Z]([a-z])+$",
    r"(?P<answer>(\d+,?)+)%",
    r"(\s*\S+\s*)+:$",
    r"(x+x+)+y",
    r"(?i)(as an? (?:ai|a\.?i\.?)+ ?)+model",
]
# Of these even the shape rules it out.
SAFE = [
    r"(?i)\bas an ai\b",
    r"<think>.*</think>.*\d+.*",
    r"(?:\d{3},)*\d",
    r"(?:foo|bar)+",
    r"(?:\w|\d)+x",
    r"(?s)^<r>.+</r>\s*<a>.+</a>$",
    r"(?>a+)+b",
    r"(?P<quote>[\"']).*?(?P=quote)",
]
# These look like the exploding ones, and are not.
CHEAP = [
    r"(?:[a-z]+, )*[a-z]+",
    r"(\d+(,\d+)*)",
    r"(?:- .*\n)+",
    r'^(?:[^"\\]|\\.)*$',
    r"(?:\w+\s)+\w",
    r"(?:<step>[^<]*</step>\s*)+",
]


def with_form(pattern: str) -> str:
    """Write a spec that pays for a pattern as well."""
    form = f"correct = 1.0\n[rewards.form]\nkind = \"regex_format\"\npattern = '{pattern}'\n"
    return SPEC.replace("correct = 1.0\n", form)


@pytest.mark.parametrize("pattern", EXPLODING)
def test_a_pattern_that_explodes_is_found_and_shown_on_a_text(pattern: str) -> None:
    text = exploding_text(pattern, 0, "search")
    assert text is not None
    assert len(text) < 100


@pytest.mark.parametrize("pattern", SAFE)
def test_a_safe_shape_costs_no_process(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    assert is_safe(pattern)
    assert exploding_text.__wrapped__(pattern, 0, "search") is None


@pytest.mark.parametrize("pattern", CHEAP)
@pytest.mark.parametrize("method", ["search", "fullmatch", "findall"])
def test_a_pattern_that_only_looks_dangerous_is_accepted(pattern: str, method: str) -> None:
    assert exploding_text(pattern, 0, method) is None


def test_flags_count(tmp_path: Path) -> None:
    """Where a dot takes line breaks as well, lines can be divided in many ways."""
    pattern = r"(?:- .*\n)+"
    assert exploding_text(pattern, int(re.DOTALL), "fullmatch") is not None
    found = said(tmp_path, with_form(pattern))
    assert any(line.startswith("slow-pattern: the cost of the pattern grows") for line in found)


@pytest.mark.parametrize("pattern", [r"[A-Z]{3}-\d{4}", r"(?:yes|no)", r"\w+@\w+\.org", ".{60,}"])
def test_words_of_a_pattern_are_matched_by_it(pattern: str) -> None:
    assert any(re.fullmatch(pattern, word) for word in words_of(pattern))


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        (r"<answer>.*</answer>", True),
        (r"<answer>[A-Z]{3}-\d{4}</answer>", True),
        (r"<answer>(?=\d).*</answer>", True),
        (r"<answer>.*</answer>\.", False),
        (r"answer: .*", False),
    ],
)
def test_a_pattern_that_the_ideal_completion_cannot_meet_is_refused(
    tmp_path: Path, pattern: str, fits: bool
) -> None:
    found = said(tmp_path, with_form(pattern))
    unpaid = [line for line in found if line.startswith("unpaid-ideal")]
    assert bool(unpaid) is not fits, unpaid


def test_a_slow_pattern_is_never_run_by_the_check_itself(tmp_path: Path) -> None:
    spec = SPEC.replace(
        'extract = "xml"\ntag = "answer"',
        "extract = \"regex\"\npattern = '<answer>(?P<answer>(\\d+)+)!</answer>'",
    ).replace('"<answer>{answer}</answer>"', f'"<answer>{"1" * 60}{{answer}}</answer>"')
    assert any(line.startswith("slow-pattern") for line in said(tmp_path, spec))


def test_a_shot_of_a_pattern_is_read_by_the_pattern(tmp_path: Path) -> None:
    spec = SPEC.replace(
        'extract = "xml"\ntag = "answer"', "extract = \"regex\"\npattern = 'is (?P<answer>\\d+)'"
    ).replace("[answer]", '[[prompt.shots]]\nuser = "1?"\nassistant = "{shot}"\n[answer]')
    spec = spec.replace('"<answer>{answer}</answer>"', '"It is {answer}"')
    for shot, is_read in (("It is 1", True), ("It was 1", False)):
        found = said(tmp_path, spec.replace("{shot}", shot))
        assert any(line.startswith("unread-shot") for line in found) is not is_read, found
