"""What takes completions for right, and how it reads them."""

from typing import NamedTuple

from compiler.literals import literal
from compiler.plan.rewards import RewardPlan
from compiler.resolve.graded import graded_by, has_answer
from compiler.resolve.inputs import Inputs
from spec_schema.answer import Answer

__all__ = ["READ", "Grader", "graders_of"]

# Ways of reading whose answers stand in a place of their own, whatever stands around it.
MARKED = ("xml", "boxed", "after", "json", "code")
# Of these the answer of a text of several answers is the one that counts, and no other.
READ = (*MARKED, "choice", "last_number", "whole")


class Grader(NamedTuple):
    """What takes completions for right: its function, the way it reads them, and by what.

    `reading` is a word of `extract`; `anywhere` for what is looked for in the whole text; `own` for
    what the user's code decides. `in_place` says that it reads where the ideal completion of this
    task has its answer, `clear` that of several answers only the one that counts is right, and
    `ungated` that no other reward has to be full as well.
    """

    code: str
    reading: str
    by_gold: bool
    in_place: bool
    clear: bool = False
    ungated: bool = True

    @property
    def is_marked(self) -> bool:
        """Whether what is right may stand anywhere in the text."""
        return self.reading in (*MARKED, "anywhere")


def graders_of(inputs: Inputs, rewards: tuple[RewardPlan, ...]) -> dict[str, Grader]:
    """What says that a completion is right, by the name it has in findings."""
    spec = inputs.spec
    found: dict[str, Grader] = {}
    read = None if spec.answer is None else _read(spec.answer)
    graded = graded_by(inputs, rewards)
    # A choice that an own template gives is read by what leads to it, which may be anything.
    clear = read in READ and (read != "choice" or spec.prompt.assistant is None)
    if (
        read is not None
        and has_answer(inputs)
        and not any(reward.kind == "correct" for reward in graded)
    ):
        found["read_answer"] = Grader("is_right", read, by_gold=True, in_place=True, clear=clear)
    for reward in graded:
        said = spec.rewards[reward.name]
        code = f"earns_all(rewards.{reward.name}, {literal(float(reward.highest))})"
        by_gold = reward.kind in ("correct", "fields")
        if read is not None and by_gold:
            reading = read
        elif reward.kind in ("code_tests", "sql"):
            reading = "code"
        elif reward.kind == "reasoning_gym":
            reading = read or "xml"
        else:
            everywhere = said.kind == "contains" and said.on == "completion"
            reading = "anywhere" if everywhere else "own"
        in_place = by_gold or (reading == "code" and read in ("code", None))
        found[reward.name] = Grader(
            code, reading, by_gold, in_place, by_gold and clear, ungated=said.only_if is None
        )
    return found


def _read(answer: Answer) -> str:
    """How answers are read; what the user's own code reads or compares may be anything."""
    own = not isinstance(answer.extract, str) or not isinstance(answer.compare, str)
    return "own" if own else str(answer.extract)
