"""Pay for a text that a pattern describes as a whole."""

import re


def score_regex_format(text: str, pattern: re.Pattern[str]) -> float:
    """Pay 1.0 where the pattern matches the whole text, else 0.0.

    Gamed by any filler in the parts that the pattern leaves open.
    """
    return 1.0 if pattern.fullmatch(text) else 0.0


def explain_regex_format(text: str, pattern: re.Pattern[str]) -> str:
    """Say whether the whole text matches, or how much of its beginning does."""
    if pattern.fullmatch(text):
        return "the whole text matches"
    begun = pattern.match(text)
    return f"the pattern ends at character {begun.end()} of {len(text)}" if begun else "no match"
