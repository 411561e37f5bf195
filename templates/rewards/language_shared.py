"""Pay for a language that shares its script with others."""

import re
from functools import cache

from prose import letters_of, sentences_of, share_text
from py3langid.langid import MODEL_FILE, LanguageIdentifier

ENOUGH_LETTERS = 40  # fewer do not tell a language: a short sentence is judged with the next


# The languages that are told apart: rarer ones would only be mistaken for these.
LANGUAGES = (
    "en de fr es it pt nl ca sv da no is pl cs sk sl hr ro hu fi et lv lt sq tr az vi id ms tl sw"
    " af ru uk be bg mk kk mn ky ar fa ur ps hi mr ne bn as"
)


@cache
def identifier() -> LanguageIdentifier:
    """Return what tells the languages apart."""
    found = LanguageIdentifier.from_model_file(MODEL_FILE)
    found.set_languages(LANGUAGES.split())
    return found


def passages_of(text: str) -> list[str]:
    """Return the sentences of a text, short ones joined with the next."""
    passages: list[str] = []
    for sentence in sentences_of(text):
        if passages and len(letters_of(passages[-1])) < ENOUGH_LETTERS:
            passages[-1] += sentence
        else:
            passages.append(sentence)
    return passages


def score_language_shared(text: str, language: str, script: re.Pattern[str]) -> float | None:
    """Pay the share of letters that are of the script, in passages of the language.

    Gamed by words of the language without sense; None where there are no letters.
    """
    total = own = 0
    for passage in passages_of(text):
        letters = letters_of(passage)
        total += len(letters)
        if letters and identifier().classify(passage)[0] == language:
            own += len(script.findall(letters))
    return own / total if total else None


def explain_language_shared(text: str, language: str, script: re.Pattern[str]) -> str:
    """Say how many of the letters are of the language."""
    return share_text(score_language_shared(text, language, script))
