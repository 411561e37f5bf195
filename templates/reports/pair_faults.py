"""Say which preference pairs teach nothing, or not what they look like."""

import re

from answer_turns import asked, said
from findings import Row, numbers_of, told

# What parts the turns of a dialogue that is kept as one text, and tokens of chat templates.
TURN_MARKS = re.compile(
    r"^\s*(?:Human|User|Assistant|System):|^### (?:Instruction|Response):"
    r"|<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|\[INST\]",
    re.MULTILINE,
)
# Characters of a question that an answer repeats; a shorter one may be a greeting, given back.
SHORTEST_QUESTION = 20


def pair_faults(part: str, rows: list[Row]) -> list[str]:
    """Name the pairs that are left out, that another one turns round, and that hold more.

    What costs single pairs is a warning, and an error only where no pair is left.
    """
    filled = [row for row in rows if all(answers_of(row))]
    sound = [row for row in filled if len(set(answers_of(row))) == 2]
    left = set(numbers_of(filled))
    empty = [number for number in numbers_of(rows) if number not in left]
    equal = left.difference(numbers_of(sound))
    findings = [
        *told("warning", part, "left out: an answer is empty", empty),
        *told("warning", part, "left out: both answers are the same", equal),
        *told("warning", part, "whose pair another row holds the other way round", turned(sound)),
        *answers_with_prompts(part, sound),
    ]
    return findings if sound else [*findings, f"error: {part}: no pair is left to learn from"]


def answers_of(row: Row) -> tuple[str, str]:
    """Return the texts of both answers, the chosen one first."""
    return said(row["chosen"]), said(row["rejected"])


def turned(rows: list[Row]) -> list[int]:
    """Return the rows whose pair is there in both orders, so that each undoes the other."""
    pairs = [(asked(row["prompt"]), *answers_of(row)) for row in rows]
    known = set(pairs)
    return [
        number
        for number, (prompt, chosen, rejected) in zip(numbers_of(rows), pairs, strict=True)
        if (prompt, rejected, chosen) in known
    ]


def answers_with_prompts(part: str, rows: list[Row]) -> list[str]:
    """Name the pairs of which an answer begins with its question, or holds turns of a dialogue."""
    repeating: list[int] = []
    talking: list[int] = []
    for row in rows:
        question = row["prompt"][-1]["content"].strip()
        long = len(question) >= SHORTEST_QUESTION
        if long and any(text.startswith(question) for text in answers_of(row)):
            repeating.append(row["row_number"])
        if any(TURN_MARKS.search(text) for text in answers_of(row)):
            talking.append(row["row_number"])
    return [
        *told("warning", part, "of which an answer begins with the prompt", repeating),
        *told("warning", part, "of which an answer holds marks of other turns", talking),
    ]
