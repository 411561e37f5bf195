"""Take a text apart into words."""

import re

# Each Chinese or Japanese character is a word: these are written without blanks between words.
WORDS = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)


def words_of(text: str) -> list[str]:
    """Return the words of a text, upper and lower case the same."""
    return WORDS.findall(text.casefold())
