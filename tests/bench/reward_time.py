"""Time the generated rewards and hand-written ones on the same completions, in ten turns.

Prints two lines of seconds a step: ours, then the peer's. Run in the arithmetic project.
"""

import random
import re
import sys
import time

sys.path.insert(0, ".")

import data
from prompts import ideal_completion
from rewards import MIXES

TAGS = re.compile(r"^\s*<reasoning>\s*\S.*?</reasoning>\s*<answer>\s*\S.*?</answer>\s*$", re.DOTALL)
ANSWER = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)


def right(completions, gold, **kwargs):
    """What most scripts do: the last tag, as a float."""
    values = []
    for completion, answer in zip(completions, gold, strict=True):
        found = ANSWER.findall(completion[0]["content"])
        try:
            values.append(float(bool(found) and float(found[-1]) == float(answer)))
        except ValueError:
            values.append(0.0)
    return values


def layout(completions, **kwargs):
    """One pattern over the whole completion."""
    return [float(bool(TAGS.match(completion[0]["content"]))) for completion in completions]


def tags(completions, **kwargs):
    """A share for each tag that stands once."""
    names = ("<reasoning>", "</reasoning>", "<answer>", "</answer>")
    return [
        sum(completion[0]["content"].count(name) == 1 for name in names) / 4
        for completion in completions
    ]


rows = data.load_train().select(range(8)).to_list()
chosen = random.Random(0)
completions, columns = [], {"gold": [], "question": []}
for row in rows:
    for _ in range(8):
        text = ideal_completion(chosen.choice(rows))
        text += "" if chosen.random() < 0.7 else " and so on" * 20
        completions.append([{"role": "assistant", "content": text}])
        columns["gold"].append(row["gold"])
        columns["question"].append(row["question"])
prompts = [row["prompt"] for row in rows for _ in range(8)]
ids = [list(range(30))] * len(completions)
times: tuple[list[float], list[float]] = ([], [])
for _ in range(10):
    for measured, rewards in zip(
        times, (list(MIXES["reasoning"]), [right, layout, tags]), strict=True
    ):
        start = time.perf_counter()
        for reward in rewards:
            reward(prompts=prompts, completions=completions, completion_ids=ids, **columns)
        measured.append(time.perf_counter() - start)
for measured in times:
    print(*measured)
