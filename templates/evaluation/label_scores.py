"""How well labels are told apart."""

from collections import Counter
from statistics import fmean
from typing import TypedDict

NO_LABEL = "(none)"  # what was read is none of the labels, or nothing was read


class LabelScores(TypedDict):
    """F1 by label, their mean, and how often a row of each label was given which."""

    macro_f1: float
    f1: dict[str, float]
    confusion: dict[str, dict[str, int]]


def label_scores(
    golds: list[str | None], given: list[str | None], labels: tuple[str, ...]
) -> LabelScores:
    """Compare the labels given with those of the rows, completion by completion.

    The mean of F1 is over the labels that are some row's own or were given; F1 is 0 where one was
    never given rightly. None stands for no label: a row without one is left out.
    """
    pairs = zip(golds, given, strict=True)
    counts = Counter((gold, said or NO_LABEL) for gold, said in pairs if gold is not None)
    confusion = {
        gold: {said: counts[gold, said] for said in (*labels, NO_LABEL)} for gold in labels
    }
    f1: dict[str, float] = {}
    for label in labels:
        own = sum(confusion[label].values())
        said = sum(row[label] for row in confusion.values())
        if own + said:
            f1[label] = 2 * confusion[label][label] / (own + said)
    macro = fmean(f1.values()) if f1 else 0.0
    return LabelScores(macro_f1=macro, f1=f1, confusion=confusion)
