"""Find where a text says that it gives its answer."""

import re

# `Answer:`, `The correct option is`, `**Final answer:** `, `答案是`, `\boxed{`.
ANSWER_IS = re.compile(
    r"(?:(?<!\w)(?:answer|choice|option)s?(?:\s+to\s+(?:\w+\s+){1,4}?)?[\s*_]*"
    r"(?:(?:is|would\s+be|should\s+be|must\s+be)\b|[:\uff1a=]|[-\u2013\u2014](?=\s))"
    r"|答案(?:应该|应)?[是为]?"
    r"|(?P<box>\\(?:boxed|fbox)\s*\{))"
    r"[\s:\uff1a*_]*(?:(?:most\s+|very\s+)?\w{1,20}ly\s+)?",
    re.IGNORECASE,
)


def answer_places(text: str) -> list[str]:
    """Return what stands at each place where the text gives an answer, to the end of its line.

    A place also ends where the next one begins, so that every character is looked at once.
    """
    places: list[str] = []
    matches = list(ANSWER_IS.finditer(text))
    ends = [*(found.start() for found in matches), len(text)][1:]
    for found, end in zip(matches, ends, strict=True):
        line = text[found.end() : end].partition("\n")[0]
        if found["box"]:
            # What a box in the box wraps is the answer; `E: some text}$` ends with its brace.
            line = re.sub(r"\\[a-z]+\s*\{", "", line).partition("}")[0]
        places.append(line.strip())
    return [place for place in places if place]
