"""Take away for text that must not be there."""

import re


def forbidden_match(text: str, patterns: tuple[re.Pattern[str], ...]) -> re.Match[str] | None:
    """Return where the first pattern that is found matches, or None."""
    matches = (pattern.search(text) for pattern in patterns)
    return next((match for match in matches if match), None)


def score_forbidden(text: str, patterns: tuple[re.Pattern[str], ...]) -> float:
    """Take away 1.0 where one of the patterns is found, else pay 0.0.

    Gamed by the same thing in words that no pattern names.
    """
    return -1.0 if forbidden_match(text, patterns) else 0.0


def explain_forbidden(text: str, patterns: tuple[re.Pattern[str], ...]) -> str:
    """Name the pattern that was found, and what it matched."""
    match = forbidden_match(text, patterns)
    return f"`{match.re.pattern}` matches `{match[0]}`" if match else "no pattern is found"
