"""The user's patterns beside the ideal completion: one is met, and none is forbidden."""

import re

from compiler.resolve.ideal import ideal_template
from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled, exploding_text
from compiler.rules.texts import system_text

__all__ = ["patterns_fit_the_ideal"]

# What may stand in the holes of a template, beside what the pattern itself asks for.
FILLERS = ("7", "12", "3.5", "word", "Word", "A", "two words", "First, 2 + 2 = 4.\nSo it is 4.")
MOST = 60  # fillers that are tried in all
# What looks around itself, or back, is not met by texts that are put together piece by piece.
LOOKS_AROUND = re.compile(r"\(\?(?:[=!]|<[=!]|P=|\()|\\\d")
HELD = "\ue000"  # in the place of what a row brings, which is not known


def patterns_fit_the_ideal(case: Case) -> None:
    """The ideal completion meets the pattern that is paid for, and holds nothing forbidden."""
    kinds = {reward.kind for reward in case.spec.rewards.values()}
    if not kinds & {"regex_format", "forbidden"}:
        return
    try:
        template = ideal_template(case.spec, system_text(case))
    except ValueError:
        return  # another rule speaks of the template
    if template is None:
        return
    text = "".join(f"{before}{HELD if name else ''}" for before, name in template)
    for name, reward in case.spec.rewards.items():
        if reward.kind == "regex_format" and reward.on == "completion":
            _expect_match(case, name, reward.pattern, text.strip())
        elif reward.kind == "forbidden" and reward.on == "completion":
            for position, pattern in enumerate(reward.patterns):
                _expect_none(case, name, position, pattern, text)


def _expect_match(case: Case, name: str, pattern: str, text: str) -> None:
    from compiler.rules.pattern_shape import words_of

    ready = _ready(pattern, int(re.DOTALL), "fullmatch")
    if ready is None or (HELD in text and LOOKS_AROUND.search(pattern)):
        return
    words = words_of(pattern)
    # Either what the template may become is matched, or what the pattern matches is such a text.
    shape = re.compile(".*".join(map(re.escape, text.split(HELD))), re.DOTALL)
    texts = [word for word in words if shape.fullmatch(word)]
    if any(map(ready.fullmatch, [*texts, *_filled(text, [*FILLERS, *words][:MOST])])):
        return
    case.error(
        "unpaid-ideal",
        ("rewards", name, "pattern"),
        f"the ideal completion is not paid by `{name}`: the pattern does not match it",
        "the pattern is for the whole text, from its first character to its last",
        related=((("prompt", "assistant"), "the ideal completion"),)
        if case.spec.prompt.assistant
        else (),
    )


def _filled(text: str, fillers: list[str]) -> list[str]:
    """The text with each filler in its last hole and in the others."""
    before, hole, behind = text.rpartition(HELD)
    if not hole:
        return [text]
    others = fillers if HELD in before else fillers[:1]
    return [f"{before.replace(HELD, other)}{last}{behind}" for last in fillers for other in others]


def _expect_none(case: Case, name: str, position: int, pattern: str, text: str) -> None:
    ready = _ready(pattern, 0, "search")
    found = next((each for each in ready.finditer(text) if each[0]), None) if ready else None
    if found is None or HELD in found[0]:
        return
    case.warning(
        "unpaid-ideal",
        ("rewards", name, "patterns", position),
        f"the ideal completion is punished by `{name}`: the pattern is found in it",
        "let the pattern name what a right completion never says",
    )


def _ready(pattern: str, flags: int, method: str) -> re.Pattern[str] | None:
    """The pattern, None where other rules speak of it."""
    try:
        compiled(pattern)
    except PatternError:
        return None
    return None if exploding_text(pattern, flags, method) else re.compile(pattern, flags)
