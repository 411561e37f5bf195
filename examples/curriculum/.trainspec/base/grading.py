"""What a model's completions are worth, and whether another model's are worth more.

The unit of every figure is the row: the completions of one row are alike, and count as their mean.
"""

from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from answers import read_answer, same_answer
from estimates import Estimate, mean_estimate, pass_at, share_estimate, sign_test
from rewards import score

Row = dict[str, Any]
Result = TypeVar("Result")
MEASURE = "pass@1"  # rows that are won and lost by it are shown
SHOWN = 3  # rows of each kind


class Graded(NamedTuple):
    """The completions of a model and what each is worth by each measure, a list for each row.

    None is the worth of a completion that a measure does not judge.
    """

    rows: list[Row]
    texts: list[list[str]]
    worth: dict[str, list[list[float | None]]]
    answers: list[list[str | None]]

    def means(self, measure: str) -> list[float | None]:
        """What the completions of each row are worth in the mean."""
        return [mean(values) for values in self.worth[measure]]


def grade(rows: list[Row], texts: list[list[str]]) -> Graded:
    """Judge every completion of every row."""
    worth: dict[str, list[list[float | None]]] = {}
    answers = [[read_answer(text) for text in said] for said in texts]
    worth["pass@1"] = [
        [float(answer is not None and same_answer(answer, row["gold"])) for answer in given]
        for row, given in zip(rows, answers, strict=True)
    ]
    marks = over(score, rows, texts)
    for reward in marks[0][0]:
        worth[reward] = [[mark[reward] for mark in given] for given in marks]
    return Graded(rows, texts, worth, answers)


def over(
    function: Callable[[str, Row], Result], rows: list[Row], texts: list[list[str]]
) -> list[list[Result]]:
    """The function's result for each completion with its row, a list for each row."""
    asked = [row for row, said in zip(rows, texts, strict=True) for _ in said]
    flat = [text for said in texts for text in said]
    results = map(function, flat, asked)
    return [[next(results) for _ in said] for said in texts]


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are there, None where none is."""
    judged = [value for value in values if value is not None]
    return fmean(judged) if judged else None


def figures(graded: Graded) -> dict[str, Any]:
    """What the completions of a model are worth."""
    return {
        "pass_at": pass_rates(graded.worth["pass@1"]),
        "unreadable": share_estimate(
            fmean(answer is None for answer in answers) for answers in graded.answers
        ),
        "rewards": {
            reward: mean_estimate(graded.means(reward))
            for reward in graded.worth
            if reward != "pass@1"
        },
    }


def pass_rates(right: list[list[float | None]]) -> dict[str, Estimate]:
    """The chance that k samples of a row hold a right one, by k; of 1 it is the share right."""
    samples = len(right[0])
    counts = [sum(value == 1 for value in values) for values in right]
    return {
        str(k): share_estimate(pass_at(k, count, samples) for count in counts)
        for k in range(1, samples + 1)
    }


def compare(graded: Graded, other: Graded) -> dict[str, Any]:
    """Row by row, where a model is better and worse than another, and the clearest rows of each."""
    gains = differences(graded, other, MEASURE)
    order = sorted((gain, at) for at, gain in enumerate(gains) if gain)
    won = [at for gain, at in reversed(order) if gain > 0][:SHOWN]
    lost = [at for gain, at in order if gain < 0][:SHOWN]
    return {
        "measures": {name: compared(differences(graded, other, name)) for name in graded.worth},
        "won": [
            {**asked(graded, at), "completion": best(graded, at), "before": worst(other, at)}
            for at in won
        ],
        "lost": [
            {**asked(graded, at), "completion": worst(graded, at), "before": best(other, at)}
            for at in lost
        ],
    }


def differences(graded: Graded, other: Graded, measure: str) -> list[float | None]:
    """How much more each row's completions are worth; None where either were not judged."""
    pairs = zip(graded.means(measure), other.means(measure), strict=True)
    return [None if a is None or b is None else a - b for a, b in pairs]


def compared(gains: list[float | None]) -> dict[str, Any]:
    """How many rows are better and worse, and by how much in the mean, with how sure that is."""
    known = [gain for gain in gains if gain is not None]
    better, worse = sum(gain > 0 for gain in known), sum(gain < 0 for gain in known)
    return {
        "better": better,
        "worse": worse,
        "alike": len(known) - better - worse,
        "p": sign_test(better, worse),
        "difference": mean_estimate(known),
    }


def examples(graded: Graded) -> list[dict[str, Any]]:
    """The first rows, each with its first completion and what that is worth."""
    return [
        {
            **asked(graded, at),
            "completion": graded.texts[at][0],
            "worth": {name: values[at][0] for name, values in graded.worth.items()},
        }
        for at in range(min(SHOWN, len(graded.rows)))
    ]


def asked(graded: Graded, at: int) -> dict[str, Any]:
    """A row, as much of it as a reader needs."""
    row = graded.rows[at]
    return {
        "row": row["row_number"],
        "prompt": row["prompt"][-1]["content"],
        "gold": row["gold"],
    }


def best(graded: Graded, at: int) -> str:
    """The completion of a row that is worth most by `MEASURE`."""
    return max(zip(judged(graded, at), graded.texts[at], strict=True))[1]


def worst(graded: Graded, at: int) -> str:
    """The completion of a row that is worth least by `MEASURE`."""
    return min(zip(judged(graded, at), graded.texts[at], strict=True))[1]


def judged(graded: Graded, at: int) -> list[float]:
    """What each completion of a row is worth by `MEASURE`; not to be judged is worth nothing."""
    return [value or 0.0 for value in graded.worth[MEASURE][at]]
