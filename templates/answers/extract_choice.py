"""Read which option a completion chooses, by its letter."""

import re

from answer_places import answer_places
from choice_label import SEVERAL_LABELS, label_of
from undress import undressed

# What goes on behind a letter as a sentence: `B because`, `D is right`.
REASON = re.compile(
    r"(?<!\s)\s+(?:because|since|as|for|is|was|which|due|given|based|with|so)\b.*", re.DOTALL
)


def choices_in(text: str) -> list[str]:
    """Return each answer that a text gives: the letter of an option, else what stands there.

    An answer stands behind `answer is`, `Answer:` and their like, or in a box. Where nothing says
    so, it is a first or last line that is an option, if no other line is another one; a text of
    one line is an answer as it stands. Letters count before texts, and a place that names several
    letters chooses none of them.
    """
    places = answer_places(text)
    chosen = [letter_at(place) for place in places]
    letters = [letter for letter in chosen if letter]
    if letters or places:
        return letters or [undressed(place) for place in places]
    lines = [line for line in text.splitlines() if line.strip()]
    labels = [label_of(line) for line in lines]
    if any(labels):
        agreed = {label for label in labels if label} == {labels[0] or labels[-1]}
        return [label for label in (labels[0] or labels[-1],) if label and agreed]
    return [undressed(line) for line in lines] if len(lines) == 1 else []


def letter_at(place: str) -> str | None:
    """Return the letter at a place, the whole place where it names several, None without one."""
    if SEVERAL_LABELS.match(place):
        return place
    return label_of(place) or label_of(REASON.sub("", place))
