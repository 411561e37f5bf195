"""Pay for a language that has a script of its own."""

import re

from prose import letters_of, sentences_of, share_text


def score_language_script(text: str, script: re.Pattern[str]) -> float | None:
    """Pay the share of letters that are of the script; None where there are no letters.

    Gamed by any text of that script: whether it makes sense is not looked at.
    """
    letters = letters_of("".join(sentences_of(text)))
    return len(script.findall(letters)) / len(letters) if letters else None


def explain_language_script(text: str, script: re.Pattern[str]) -> str:
    """Say how many of the letters are of the script."""
    return share_text(score_language_script(text, script))
