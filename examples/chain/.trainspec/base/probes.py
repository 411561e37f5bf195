"""What crafted completions of a row earn: right ones all, and wrong ones nothing.

A reward that pays a completion that is wrong, empty or cut off is learnt from all the same, and no
curve shows it.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tqdm.auto import tqdm

import rewards
from findings import Row
from prompts import ideal_completion

Given = TypeVar("Given")
Found = TypeVar("Found")
Grader = Callable[[str, Row], bool]
Reward = Callable[..., list[float | None]]
OTHERS: tuple[Reward, ...] = (rewards.brief,)


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
    return findings


def over(what: str, function: Callable[[Given], Found], given: list[Given]) -> list[Found]:
    """The function's result for each thing given, with a progress bar on a terminal."""
    return [function(each) for each in tqdm(given, what, disable=None, leave=False)]


def other_marks(part: str, rows: list[Row]) -> None:
    """Print what the ideal completion earns of the other rewards, which may be anything."""
    for reward in OTHERS:
        marks = ideal_pay(part, reward, rows)
        print(f"{part:<5} ideal completions earn {span(marks)} from {reward.__name__}")


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
