"""Did-you-mean: the word that was probably meant."""

from collections.abc import Iterable

__all__ = ["closest", "one_of", "quoted_list", "shortened"]

_LONGEST = 60
_MOST_TITLES = 4


def closest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word that is most like `word`, if one is like it; never `word` itself."""
    import difflib  # only where a word is wrong

    candidates = [candidate for candidate in known if candidate != word]
    # Comparing is quadratic in the length; no word of the language is near to a long one.
    matches = difflib.get_close_matches(word[:_LONGEST].lower(), candidates, 1, cutoff)
    return matches[0] if matches else None


def quoted_list(words: Iterable[str], last: str = "or") -> str:
    """Write words as a person would list them: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:  # noqa: PLR2004 - a list of one has no last word to set off
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {last} {quoted[-1]}"


def one_of(titles: list[str]) -> str:
    """Write titles as a person would list them, those beyond the first few by their number."""
    if len(titles) > _MOST_TITLES:
        shown = titles[: _MOST_TITLES - 1]
        titles = [*shown, f"{len(titles) - len(shown)} others"]
    return titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} or {titles[-1]}"


def shortened(text: str) -> str:
    """Give a text, or its beginning where it is too long for a message."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
