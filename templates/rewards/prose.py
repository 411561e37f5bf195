"""Leave of a text what is written in a language."""

import re

NO_PROSE = re.compile(
    r"(`{3,}|~{3,}).*?(?:\1|\Z)"
    r"|`[^`\n]*`"
    r"|\$\$[^$]*\$\$|\$[^$\n]*\$"
    # A formula ends before the next one begins, so that a text of beginnings costs no time.
    r"|\\\[(?:(?!\\\[).)*?\\\]|\\\((?:(?!\\\().)*?\\\)|\\[A-Za-z]+"
    r"|</?[A-Za-z_][\w.-]*>"
    r"|https?://\S+"
    r"|(?<![^\W\d_])[A-Za-z\u0370-\u03ff](?![^\W\d_])",
    re.DOTALL,
)
LETTER = re.compile(r"[^\W\d_]")
SENTENCE = re.compile(r"[^.!?\n\u3002\uff01\uff1f]+[.!?\u3002\uff01\uff1f]*")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, without code, formulas, tags and letters that stand alone."""
    return SENTENCE.findall(NO_PROSE.sub(" ", text))


def letters_of(text: str) -> str:
    """Return the letters of a text and nothing else."""
    return "".join(LETTER.findall(text))


def share_text(share: float | None) -> str:
    """Return a share as a person reads it."""
    return "no letters to judge" if share is None else f"{share:.0%} of the letters"
