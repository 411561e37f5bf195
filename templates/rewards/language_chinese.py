"""Pay for Chinese, which is told from Japanese."""

from han_and_kana import HAN, KANA
from prose import letters_of, sentences_of, share_text


def score_language_chinese(text: str) -> float | None:
    """Pay the share of letters that are Han, in sentences without kana; None without letters.

    Gamed by any Han characters: whether they make sense is not looked at.
    """
    total = chinese = 0
    for letters in map(letters_of, sentences_of(text)):
        total += len(letters)
        chinese += 0 if KANA.search(letters) else len(HAN.findall(letters))
    return chinese / total if total else None


def explain_language_chinese(text: str) -> str:
    """Say how many of the letters are Chinese."""
    return share_text(score_language_chinese(text))
