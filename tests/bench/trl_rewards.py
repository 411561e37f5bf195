"""Time library rewards and TRL's functions for the same job, on the same 10,000 completions.

Prints a line for each job: its name, and the seconds of ours and of TRL's, turn by turn.
"""

import random
import sys
import time
from pathlib import Path
from types import ModuleType

from trl.rewards import (
    get_cosine_scaled_reward,
    get_repetition_penalty_reward,
    get_soft_overlong_punishment,
    think_format_reward,
)

PIECES = Path(__file__).parents[2] / "templates"
sys.path[:0] = [str(PIECES / "answers"), str(PIECES / "rewards")]

from compare_number import same_number
from completion_text import completion_text
from extract_boxed import boxed
from final_text import final_text
from last_of import last_of
from number import parse_number

# A project's answers.py with `extract = "boxed"` and `compare = "number"`.
answers = ModuleType("answers")
vars(answers)["read_answer"] = lambda text: last_of(boxed(final_text(text)))
vars(answers)["same_answer"] = lambda one, other: same_number(
    parse_number(one), parse_number(other)
)
sys.modules["answers"] = answers

from cosine_length import score_cosine_length
from overlong import score_overlong
from repetition import score_repetition
from think_format import score_think_format

COUNT = 10_000
LIMIT, FREE, SIZE = 768, 614, 3


def think_format(completions, **columns):
    """As rewards.py has it."""
    return [score_think_format(completion_text(completion)) for completion in completions]


def overlong(completion_ids, **columns):
    """As rewards.py has it."""
    return [score_overlong(len(ids), FREE, LIMIT) for ids in completion_ids]


def cosine_length(completions, gold, completion_ids, **columns):
    """As rewards.py has it."""
    return [
        score_cosine_length(
            completion_text(completion),
            one_gold,
            len(ids),
            LIMIT,
            correct=(0.5, 1.0),
            wrong=(-1.0, -0.5),
        )
        for completion, one_gold, ids in zip(completions, gold, completion_ids, strict=True)
    ]


def repetition(completion_ids, **columns):
    """As rewards.py has it."""
    return [score_repetition(ids, SIZE) for ids in completion_ids]


# Ours, TRL's, and the turns: TRL's cosine reads every completion as LaTeX and takes long.
JOBS = {
    "think_format": (think_format, think_format_reward, 10),
    "overlong": (overlong, get_soft_overlong_punishment(LIMIT, LIMIT - FREE), 30),
    "cosine_length": (cosine_length, get_cosine_scaled_reward(LIMIT), 2),
    "repetition": (repetition, get_repetition_penalty_reward(SIZE, -1.0), 10),
}


def made(chosen):
    """One completion of a reasoning model with its ids: some are cut, wrong or lack a tag."""
    words = [chosen.choice(("so", "add", "two", "and", "12", "\n", "then")) for _ in range(300)]
    said = f"The answer is \\boxed{{{chosen.choice((12, 13))}}}."
    text = "<think>\n" + " ".join(words) + f"\n</think>\n\n{said}"
    text = text[: chosen.choice((len(text), len(text), 900))].removeprefix(
        chosen.choice(("", "", "<think>"))
    )
    ids = [chosen.randrange(2000) for _ in range(chosen.randrange(200, LIMIT + 100))]
    return [{"role": "assistant", "content": text}], ids


def main():
    """Time both sides of every job in turns; they must give the same values."""
    chosen = random.Random(0)
    rows = [made(chosen) for _ in range(COUNT)]
    columns = {
        "completions": [row[0] for row in rows],
        "completion_ids": [row[1] for row in rows],
        "gold": ["12"] * COUNT,
        "solution": ["$12$"] * COUNT,
    }
    for name, (*sides, turns) in JOBS.items():
        times = ([], [])
        for _ in range(turns):
            values = []
            for measured, side in zip(times, sides, strict=True):
                start = time.perf_counter()
                values.append(side(**columns))
                measured.append(time.perf_counter() - start)
            if any(abs(one - other) > 1e-12 for one, other in zip(*values, strict=True)):
                raise SystemExit(f"{name} and TRL's function give other values")
        print(name, *times[0], *times[1])


if __name__ == "__main__":
    main()
