"""Find a text as words of its own."""

import re
from functools import lru_cache

from normal_form import normal_form
from whitespace_collapse import with_single_blanks

# What a word that is set off by blanks is made of. Chinese, Japanese, Korean, Thai and their
# neighbours write words, or words and endings, without a blank between.
WORD_CHARACTER = (
    r"[^\W\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff"
    r"\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff]"
)


def missing_words(text: str, wanted: tuple[str, ...], *, fold: bool) -> list[str]:
    """Return those of `wanted` that do not stand in `text` as words of their own.

    Line breaks are blanks, and characters that look the same are the same. A blank text is missing.
    """
    text = words_form(text, fold=fold)
    return [words for words in wanted if not words_pattern(words, fold=fold).search(text)]


def words_form(text: str, *, fold: bool) -> str:
    """Return `text` as it is compared."""
    text = with_single_blanks(normal_form(text).replace("\u2212", "-"))
    return text.casefold() if fold else text


@lru_cache(maxsize=1024)
def words_pattern(words: str, *, fold: bool) -> re.Pattern[str]:
    """Return what finds `words` where they are no part of a longer word or number."""
    words = words_form(words, fold=fold)
    if not words:
        return re.compile(r"(?!)")
    pattern = re.escape(words)
    if re.match(rf"-?{WORD_CHARACTER}", words):
        pattern = rf"(?<!{WORD_CHARACTER}){pattern}"
    if re.match(r"\d", words):  # 4 is neither in 1.4 nor in -4, but in 3-4
        pattern = rf"(?<!\d[.,])(?<!(?<!{WORD_CHARACTER})-){pattern}"
    if re.search(rf"{WORD_CHARACTER}\Z", words):
        pattern = rf"{pattern}(?!{WORD_CHARACTER})"
    if re.search(r"\d\Z", words):
        pattern = rf"{pattern}(?![.,]\d)"
    return re.compile(pattern)
