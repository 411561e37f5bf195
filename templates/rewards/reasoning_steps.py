"""Pay for reasoning that is laid out in steps."""

import re

STEP = re.compile(
    r"^[ \t]*(?:"
    r"[-*+\u2022][ \t]+"
    r"|\d{1,2}[.)][ \t]+"
    r"|(?:[#*]+[ \t]*)?"
    r"(?:step[ \t]*\d+|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|then|finally)\b"
    r").*",
    re.IGNORECASE | re.MULTILINE,
)


def steps_in(text: str) -> list[str]:
    """Return the lines that begin a step, each once."""
    return list(dict.fromkeys(line.strip() for line in STEP.findall(text)))


def score_reasoning_steps(text: str, minimum: int) -> float:
    """Pay 1.0 from the minimum number of steps on, below it the share of it that is reached.

    Gamed by numbered lines that say nothing: only how they begin is looked at.
    """
    return min(1.0, len(steps_in(text)) / minimum)


def explain_reasoning_steps(text: str, minimum: int) -> str:
    """Say how many steps there are, and how many are paid in full."""
    return f"{len(steps_in(text))} steps, at least {minimum}"
