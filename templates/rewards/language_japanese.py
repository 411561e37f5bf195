"""Pay for Japanese, which is told from Chinese."""

from han_and_kana import HAN, KANA
from prose import letters_of, sentences_of, share_text


def score_language_japanese(text: str) -> float | None:
    """Pay the share of letters that are kana, or Han in a sentence with kana; None without letters.

    Gamed by a kana in each Chinese sentence: whether it makes sense is not looked at.
    """
    total = japanese = 0
    for letters in map(letters_of, sentences_of(text)):
        total += len(letters)
        kana = len(KANA.findall(letters))
        japanese += kana + len(HAN.findall(letters)) if kana else 0
    return japanese / total if total else None


def explain_language_japanese(text: str) -> str:
    """Say how many of the letters are Japanese."""
    return share_text(score_language_japanese(text))
