"""Take away for text that is copied from the prompt."""

from functools import lru_cache
from typing import Any

from words import words_of


def prompt_text(prompt: str | list[dict[str, Any]]) -> str:
    """Return the text of a prompt, in either shape that TRL hands to a reward."""
    if isinstance(prompt, str):
        return prompt
    return "\n".join(message.get("content") or "" for message in prompt)


@lru_cache(maxsize=64)  # the completions of a group have one prompt
def prompt_ngrams(prompt: str, size: int) -> frozenset[tuple[str, ...]]:
    """Return the n-grams of words that stand in a prompt."""
    return frozenset(word_ngrams(prompt, size))


def word_ngrams(text: str, size: int) -> list[tuple[str, ...]]:
    """Return the n-grams of words of a text, one from each word on."""
    words = words_of(text)
    return list(zip(*(words[start:] for start in range(size)), strict=False))


def score_copying(text: str, prompt: str | list[dict[str, Any]], size: int) -> float:
    """Take away the share of n-grams of words that stand in the prompt as well.

    Gamed by copying with a change in every n-gram, and by short completions.
    """
    ngrams = word_ngrams(text, size)
    known = prompt_ngrams(prompt_text(prompt), size)
    return -sum(ngram in known for ngram in ngrams) / len(ngrams) if ngrams else 0.0


def explain_copying(text: str, prompt: str | list[dict[str, Any]], size: int) -> str:
    """Show the first n-gram that is copied."""
    known = prompt_ngrams(prompt_text(prompt), size)
    copied = [ngram for ngram in word_ngrams(text, size) if ngram in known]
    return f"{len(copied)} copied, such as `{' '.join(copied[0])}`" if copied else "nothing copied"
