"""Write the rows of this example: what customers of a bicycle shop ask, and how it is answered.

Run it as `python prepare.py`; it downloads nothing, and two runs write the same bytes. Beside itself
it writes

    data/requests.jsonl    requests with a good reply, which the first stage imitates
    data/pairs.jsonl       requests with a good and a bad reply, from which the judge learns

A good reply greets, says what the shop does, and offers the next step. A bad one is curt, or puts the
customer off at length: length alone does not tell them apart.
"""

import json
import random
from itertools import product
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 0

PARTS = {
    "chain": "a new chain takes us half an hour",
    "brake": "we adjust brakes while you wait",
    "tyre": "we have tyres of all usual sizes here",
    "saddle": "you can try five saddles on your own bicycle",
    "light": "we fit lights that the hub dynamo feeds",
    "gear": "we set gears and replace worn cables",
}
ASKED = (
    "My {part} has been worn since {day}. What can I do?",
    "Can you look at the {part} of my bicycle on {day}?",
    "The {part} makes a noise since {day}.",
    "How long does a repair of the {part} take?",
    "Do I need an appointment for my {part}?",
    "I bought the bicycle last {day}, and the {part} is loose.",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
GREETINGS = ("Good morning!", "Thank you for asking.", "Hello!")
NEXT = ("Come by until six, ", "Bring it in tomorrow, ", "Just drop in, ")
CURT = ("No.", "Ask someone else.", "Not my job.")
EXCUSES = (
    "Everybody asks that, and there are really so many other things to do here this week that I "
    "could not say when anybody would ever find the time for it.",
    "That is how these parts are, they do that, and if it bothers you there is not much that can "
    "be done about it, as you should have known before you bought it.",
)


def good_reply(part: str, draw: random.Random) -> str:
    """A reply that helps."""
    return f"{draw.choice(GREETINGS)} {draw.choice(NEXT)}{PARTS[part]}."


def bad_reply(draw: random.Random) -> str:
    """A reply that does not: every second one is longer than any good one."""
    return draw.choice(draw.choice((CURT, EXCUSES)))


def make_rows() -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The rows of both files; no request is in both."""
    draw = random.Random(SEED)
    asked = [
        (part, text.format(part=part, day=day)) for part, text, day in product(PARTS, ASKED, DAYS)
    ]
    asked = list(dict.fromkeys(asked))
    draw.shuffle(asked)
    half = len(asked) // 2
    requests = [{"request": text, "reply": good_reply(part, draw)} for part, text in asked[:half]]
    pairs = [
        {"request": text, "good": good_reply(part, draw), "bad": bad_reply(draw)}
        for part, text in asked[half:]
    ]
    return requests, pairs


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    """Write rows as JSON lines."""
    path.parent.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Write both files beside this one."""
    requests, pairs = make_rows()
    write_rows(HERE / "data" / "requests.jsonl", requests)
    write_rows(HERE / "data" / "pairs.jsonl", pairs)


if __name__ == "__main__":
    main()
