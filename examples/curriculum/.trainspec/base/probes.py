"""What crafted completions of a row earn: right ones all, and wrong ones nothing.

A reward that pays a completion that is wrong, empty or cut off is learnt from all the same, and no
curve shows it.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tqdm.auto import tqdm

import rewards
from answers import final_text, read_answer, same_answer
from findings import Row, listed, numbers_of, told
from prompts import ideal_completion, user_text

Given = TypeVar("Given")
Found = TypeVar("Found")
Grader = Callable[[str, Row], bool]
Reward = Callable[..., list[float | None]]
# What an ideal completion must earn.
FULL_MARKS: dict[Reward, float] = {
    rewards.correct: 1.0,
    rewards.xml_tags: 1.0,
    rewards.well_formed: 1.0,
}


class Probe(NamedTuple):
    """A crafted completion, and the graders that must, must not, or may take it for right.

    `craft` is given a row and some rows with other golds; it returns None for a row on which the
    probe would say nothing.
    """

    what: str
    craft: Callable[[Row, list[Row]], str | None]
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


def self_test(part: str, rows: list[Row]) -> list[str]:
    """What is wrong with the grading of crafted completions of these rows."""
    findings: list[str] = []
    findings += ideal_marks(part, rows)
    pairs = list(zip(rows, rows_with_other_golds(rows), strict=True))
    for probe in PROBES:
        texts = [(row, probe.craft(row, others)) for row, others in pairs]
        crafted = [(row, text) for row, text in texts if text is not None]
        for name in (*probe.must, *probe.must_not, *probe.may):
            findings += verdict(part, probe, name, crafted)
    return findings


def verdict(part: str, probe: Probe, name: str, crafted: list[tuple[Row, str]]) -> list[str]:
    """What one grader makes of a probe: a finding, or a line where it pays by construction."""
    grader = GRADERS[name]
    right = over(f"{part}: {probe.what}", lambda pair: grader(pair[1], pair[0]), crafted)
    taken = numbers_of(row for (row, _), is_taken in zip(crafted, right, strict=True) if is_taken)
    refused = set(numbers_of(row for row, _ in crafted)) - set(taken)
    if name in probe.must:
        return told("error", part, f"where {probe.what} is not right by `{name}`", refused)
    if name in probe.must_not:
        return told("error", part, f"where {probe.what} is right by `{name}`", taken)
    if crafted:
        rows = f": rows {listed(sorted(taken))}" if taken else ""
        print(f"{part:<5} {probe.what} is right by {name} in {len(taken) / len(crafted):.1%}{rows}")
    return []


def over(what: str, function: Callable[[Given], Found], given: list[Given]) -> list[Found]:
    """The function's result for each thing given, with a progress bar on a terminal."""
    return [function(each) for each in tqdm(given, what, disable=None, leave=False)]


def ideal_marks(part: str, rows: list[Row]) -> list[str]:
    """Whether the ideal completion earns full marks of correctness and format."""
    findings = []
    for reward, full in FULL_MARKS.items():
        marks = ideal_pay(part, reward, rows)
        name = reward.__name__
        print(f"{part:<5} ideal completions earn {span(marks)} from {name}")
        below = [row for row, mark in zip(rows, marks, strict=True) if mark != full]
        fault = f"whose ideal completion earns less than {full:g} of `{name}`"
        findings += told("error", part, fault, numbers_of(below))
    return findings


def ideal_pay(part: str, reward: Reward, rows: list[Row]) -> list[float | None]:
    """What one reward gives the ideal completion of each row."""
    return over(
        f"{part}: {reward.__name__}",
        lambda row: rewards.pay(reward, ideal_completion(row), row),
        rows,
    )


def span(marks: list[float | None]) -> str:
    """The lowest and the highest mark; a reward may judge no row."""
    judged = [mark for mark in marks if mark is not None]
    if not judged:
        return "nothing"
    low, high = min(judged), max(judged)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def is_right(text: str, row: Row) -> bool:
    """Whether a completion is read as the gold."""
    answer = read_answer(text)
    return answer is not None and same_answer(answer, row["gold"])


def rows_with_other_golds(rows: list[Row]) -> list[list[Row]]:
    """For each row up to four rows whose golds are not its own."""
    first = list({row["gold"]: row for row in reversed(rows)}.values())
    some = first[:: max(1, len(first) // 5)][:5]

    def others_of(row: Row) -> list[Row]:
        return [other for other in some if not same_answer(other["gold"], row["gold"])][:4]

    return over("golds", others_of, rows)


def earns_all(reward: Reward, mark: float) -> Grader:
    """A grader that takes for right what earns the full mark of a reward."""
    return lambda text, row: rewards.pay(reward, text, row) == mark


def surrounded(row: Row, others: list[Row]) -> str:
    """The ideal completion between sentences that name no gold."""
    return (
        f"Let us take this step by step.\n\n{ideal_completion(row)}\n\nThat is all there is to it."
    )


def empty(row: Row, others: list[Row]) -> str:
    """Nothing at all."""
    return ""


def echo(row: Row, others: list[Row]) -> str:
    """What the user said."""
    return user_text(row)


def wrong(row: Row, others: list[Row]) -> str | None:
    """The ideal completion of a row with another gold."""
    return ideal_completion(others[0]) if others else None


def retracted(row: Row, others: list[Row]) -> str | None:
    """A completion whose right answer is not the one that counts."""
    if not others:
        return None
    right, false = ideal_completion(row), ideal_completion(others[0])
    return taken_back(right, final_text(false))


def taken_back(first: str, second: str) -> str:
    """Two completions in one, of which the second takes back the first."""
    return f"{first}\n\nWait, that is wrong. Once more:\n\n{second}"


def every_answer(row: Row, others: list[Row]) -> str | None:
    """The ideal completion with several answers in the place of the right one."""
    answers = [row["gold"], *(other["gold"] for other in others)]
    if len(set(answers)) < 2:
        return None
    return ideal_completion(row | {"answer": ", ".join(answers)})


def cut(row: Row, others: list[Row]) -> str | None:
    """The ideal completion, ended inside its last answer, where no earlier one is right."""
    before, opening, _ = ideal_completion(row).rpartition("<answer>")
    return None if not opening or is_right(before, row) else before + opening + row["gold"]


GRADERS: dict[str, Grader] = {"correct": earns_all(rewards.correct, 1.0)}
PROBES = (
    Probe("the ideal completion with sentences around it", surrounded, must=("correct",)),
    Probe("the ideal completion of a row with another gold", wrong, must_not=("correct",)),
    Probe("an empty completion", empty, must_not=("correct",)),
    Probe("a list of several answers", every_answer, must_not=("correct",)),
    Probe("the ideal completion, cut off inside its answer", cut, must_not=("correct",)),
    Probe("a right answer that is taken back", retracted, must_not=("correct",)),
    Probe("an echo of the prompt", echo, may=("correct",)),
)
