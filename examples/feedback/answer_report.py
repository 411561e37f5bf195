"""What is wrong with the answers that stages learn from, beside what any row can lack.

One function for each stage, called by `python data.py` with the name of a part and its rows. An
error is what leaves nothing to learn, or the opposite of what is wanted; all else is a warning.
"""

from collections import defaultdict
from typing import Any

from findings import Row, numbers_of, told


def check_warmup(part: str, rows: list[Row]) -> list[str]:
    """What is wrong with the answers of `warmup`."""
    whole = [row | {"messages": row["prompt"] + row["completion"]} for row in rows]
    return turn_faults(part, whole)


def check_thumbs(part: str, rows: list[Row]) -> list[str]:
    """What is wrong with the labelled answers of `thumbs`."""
    findings = label_faults(part, rows)
    if part == "thumbs train":
        findings += label_weights(part, rows, 1.8, 1.0)
    return findings


def turn_faults(part: str, rows: list[Row]) -> list[str]:
    """Name the conversations that end with another turn than the assistant's, or with nothing said.

    `messages` of a row are the whole conversation. Without a turn of the assistant there is nothing
    to learn, and a turn that says nothing teaches to say nothing: both are errors. A last turn of
    somebody else is a warning: it is read, and answered by nobody.
    """
    silent: list[Row] = []
    empty: list[Row] = []
    unanswered: list[Row] = []
    for row in rows:
        turns = [turn for turn in row["messages"] if turn["role"] == "assistant"]
        silent += [] if turns else [row]
        empty += [] if all(turn["content"].strip() for turn in turns) else [row]
        unanswered += [row] if turns and row["messages"][-1]["role"] != "assistant" else []
    return [
        *told("error", part, "without a turn of the assistant", numbers_of(silent)),
        *told("error", part, "with a turn of the assistant that says nothing", numbers_of(empty)),
        *told("warning", part, "whose last turn is not the assistant's", numbers_of(unanswered)),
    ]


def label_faults(part: str, rows: list[Row]) -> list[str]:
    """Name the rows without an answer, and those that speak against each other.

    One label only is an error, as KTO measures wanted answers against unwanted ones; what costs
    single rows is a warning.
    """
    empty = [row for row in rows if not said(row["completion"])]
    given: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if text := said(row["completion"]):
            given[asked(row["prompt"]), text].append(row)
    at_odds = [
        row for rows in given.values() if len({row["label"] for row in rows}) == 2 for row in rows
    ]
    return [
        *told("warning", part, "left out: the answer is empty", numbers_of(empty)),
        *told("warning", part, "with an answer that has both labels", numbers_of(at_odds)),
        *one_label(part, [row["label"] for rows in given.values() for row in rows]),
    ]


def one_label(part: str, labels: list[bool]) -> list[str]:
    """Say whether a label is missing among these; prints how many there are of each."""
    wanted = sum(labels)
    print(f"{part:<5} {wanted} wanted answers, {len(labels) - wanted} unwanted")
    if 0 < wanted < len(labels):
        return []
    missing = "unwanted" if wanted else "wanted"
    return [f"error: {part}: no {missing} answer, and KTO learns from both kinds"]


def label_weights(
    part: str, rows: list[Row], desirable_weight: float, undesirable_weight: float
) -> list[str]:
    """Say what the weights should be where there are more answers of one kind than of the other.

    Equation 8 of the KTO paper (arXiv 2402.01306) wants the weight and number of wanted answers
    over those of unwanted ones between 1 and 4/3.
    """
    labels = [row["label"] for row in rows if said(row["completion"])]
    wanted = sum(labels)
    unwanted = len(labels) - wanted
    if not (wanted and unwanted):
        return []
    # TRL rounds the bounds to two places, and leaves a set of equal halves alone.
    ratio = desirable_weight * wanted / (undesirable_weight * unwanted)
    if wanted == unwanted or 0.995 <= ratio <= 1.335:
        return []
    lowest = unwanted * undesirable_weight / wanted
    other = wanted * desirable_weight / unwanted
    weigh = f"{wanted} wanted answers weigh {ratio:.2f} times the {unwanted} unwanted ones"
    either = f"desirable_weight from {lowest:.2f} to {lowest * 4 / 3:.2f}"
    instead = f"undesirable_weight from {other * 3 / 4:.2f} to {other:.2f}"
    return [f"warning: {part}: {weigh}: take a {either}, or an {instead}"]


def asked(prompt: list[dict[str, Any]]) -> str:
    """Return a prompt with its roles as one text: two prompts are the same where these are."""
    return "\n\n".join(f"{turn['role']}: {turn['content'].strip()}" for turn in prompt)


def said(answer: list[dict[str, Any]]) -> str:
    """Return all that an answer says, without blanks at its ends."""
    return "\n\n".join(turn["content"] for turn in answer).strip()
