"""Read which of some fixed options a completion chooses."""

import re

from answer_places import answer_places
from undress import undressed

OPTION_FRONT = r"[\s*_`$\"'\u201c\u2018(\[]*(?:\\text\w*\s*\{)?"
OPTION_BACK = r"[*_`$\"'\u201d\u2019)\]}]*"


def options_in(text: str, options: tuple[str, ...]) -> list[str]:
    """Return the one of `options` that each answer of a text is, as it is written there.

    An answer stands behind `answer is`, `Answer:` and their like, or in a box, and begins with an
    option; where it goes on with another one (`yes or no`) it is returned as it stands. Where
    nothing says so, it is a first or last line that is an option, if no other line is another one.
    """
    places = answer_places(text)
    if places:
        return [option for place in places if (option := option_at(place, options))]
    lines = [line for line in text.splitlines() if line.strip()]
    known = {option.casefold(): option for option in options}
    found = [known.get(undressed(undressed(line).rstrip(".")).casefold()) for line in lines]
    agreed = {option for option in found if option}
    return [option for option in agreed if len(agreed) == 1 and option in (found[0], found[-1])]


def option_at(place: str, options: tuple[str, ...]) -> str | None:
    """Return the option that a place begins with, the place itself where it names several."""
    longest_first = sorted(options, key=len, reverse=True)  # `not sure` before `not`
    either = "|".join(map(re.escape, longest_first))
    one = rf"{OPTION_FRONT}({either})(?!\w){OPTION_BACK}"
    found = re.match(rf"{one}(?:\s*(?:[,;/&+]|\band\b|\bor\b)\s*({one}))?", place, re.IGNORECASE)
    if found is None or found[2]:
        return found and place
    return next(option for option in options if option.casefold() == found[1].casefold())
