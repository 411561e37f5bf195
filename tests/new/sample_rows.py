"""The sample rows that `trainspec new` writes, made here: `python -m tests.new.sample_rows`."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from compiler.places import templates_folder
from tests.new.sample_texts import CAPITALS, FUNCTIONS, REPLIES

__all__ = ["SAMPLES", "text_of"]

Row = dict[str, Any]

NAMES = ("Ada", "Bela", "Chen", "Dara", "Emil", "Fatou", "Goran", "Hana")
THINGS = ("pencils", "apples", "stamps", "marbles", "postcards", "oranges", "tickets", "shells")
GOODS = ("tea", "rice", "paper", "soap", "candles", "honey", "coffee", "salt")
CITIES = ("Hamburg", "Lyon", "Osaka", "Lima", "Porto", "Accra", "Turin", "Leeds")
ORDERS = (
    "Please send {quantity} boxes of {item} to our shop in {city}. Thank you!",
    "Hello, we are almost out of {item}. Could {city} get {quantity} boxes this week?",
    "Order for {city}: {item}, {quantity} boxes. The last one came late, please hurry.",
    "As agreed on the phone, {quantity} boxes of {item} for {city}, and not one more.",
)


def maths(draw: random.Random) -> list[Row]:
    """Word problems of two steps, each with its rationale."""
    rows: list[Row] = []
    for number in range(64):
        name, thing = draw.choice(NAMES), draw.choice(THINGS)
        packs, each, less = draw.randint(3, 12), draw.randint(4, 15), draw.randint(2, 11)
        total = packs * each
        if number % 2:
            question = (
                f"{name} buys {packs} packs of {each} {thing} and gives {less} {thing} away. "
                f"How many {thing} are left?"
            )
            last = f"{total} - {less} = {total - less}"
        else:
            question = (
                f"{name} has {less} {thing} and is given {packs} bags with {each} {thing} each. "
                f"How many {thing} are there now?"
            )
            last = f"{total} + {less} = {total + less}"
        rationale = f"{packs} times {each} is {total}. Then {last}."
        rows.append(
            {"question": question, "rationale": rationale, "answer": last.rpartition(" ")[2]}
        )
    return rows


def choice(draw: random.Random) -> list[Row]:
    """A question for each capital, with three others to choose from."""
    capitals = [capital for _, capital in CAPITALS]
    rows: list[Row] = []
    for country, capital in CAPITALS:
        options = [capital, *draw.sample([each for each in capitals if each != capital], 3)]
        draw.shuffle(options)
        question = f"Which city is the capital of {country}?"
        rows.append({"question": question, "options": options, "answer": options.index(capital)})
    return rows


def orders(draw: random.Random) -> list[Row]:
    """Short mails with an order, and what there is to read in it."""
    rows: list[Row] = []
    for number in range(64):
        order = {
            "item": draw.choice(GOODS),
            "quantity": draw.randint(2, 40),
            "city": draw.choice(CITIES),
        }
        text = ORDERS[number % len(ORDERS)].format(**order)
        rows.append({"text": text, "target": json.dumps(order)})
    return rows


def code(_: random.Random) -> list[Row]:
    """Small functions: what they do, a solution, and its tests."""
    return [
        {"task": task, "solution": solution, "tests": list(tests)}
        for task, solution, *tests in FUNCTIONS
    ]


def sft(_: random.Random) -> list[Row]:
    """What customers write, and what to answer."""
    return [{"message": message, "reply": reply} for message, reply in REPLIES]


SAMPLES: dict[str, Callable[[random.Random], list[Row]]] = {
    "maths": maths,
    "choice": choice,
    "json": orders,
    "code": code,
    "sft": sft,
}


def text_of(task: str) -> str:
    """The rows of a task as JSON lines; the same at each call."""
    rows = SAMPLES[task](random.Random(task))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def path_of(task: str) -> Path:
    """Where the rows of a task lie."""
    return templates_folder() / "new" / task / "rows.jsonl"


if __name__ == "__main__":
    for name in SAMPLES:
        path_of(name).write_text(text_of(name), encoding="utf-8")
