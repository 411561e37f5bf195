"""Write the rows of this example: shopping sums with a rationale and an answer.

Run it as `python prepare.py`; it downloads nothing, and two runs write the same bytes. It writes
data/train.jsonl beside itself, with `items` saying how many things are bought: the more, the harder.
"""

import json
import random
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 0
ROWS = 240
THINGS = ("apples", "pencils", "tickets", "rolls", "stamps", "candles")


def row(draw: random.Random) -> dict[str, object]:
    """One purchase of one to three things, paid with a note."""
    things = draw.sample(THINGS, draw.randint(1, 3))
    bought = [(thing, draw.randint(2, 9), draw.randint(1, 6)) for thing in things]
    total = sum(count * price for _, count, price in bought)
    note = draw.choice([note for note in (20, 50, 100, 200) if note >= total])
    listed = ", ".join(f"{count} {thing} at {price} each" for thing, count, price in bought)
    sums = [
        f"{count} * {price} = {count * price} for the {thing}" for thing, count, price in bought
    ]
    rationale = "\n".join([*sums, f"{total} together", f"{note} - {total} = {note - total}"])
    return {
        "question": f"Someone buys {listed}, and pays with a note of {note}. What is the change?",
        "rationale": rationale,
        "answer": str(note - total),
        "items": len(bought),
    }


def main() -> None:
    """Write the rows beside this file."""
    draw = random.Random(SEED)
    path = HERE / "data" / "train.jsonl"
    path.parent.mkdir(exist_ok=True)
    rows = {example["question"]: example for example in (row(draw) for _ in range(ROWS))}
    text = "".join(json.dumps(example) + "\n" for example in rows.values())
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
