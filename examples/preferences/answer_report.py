"""What is wrong with the answers that stages learn from, beside what any row can lack.

One function for each stage, called by `python data.py` with the name of a part and its rows. An
error is what leaves nothing to learn, or the opposite of what is wanted; all else is a warning.
"""

import re
from collections import Counter
from typing import Any

from transformers import PreTrainedTokenizerBase

from findings import Row, numbers_of, told


def check_warmup(part: str, rows: list[Row]) -> list[str]:
    """What is wrong with the answers of `warmup`."""
    whole = [row | {"messages": row["prompt"] + row["completion"]} for row in rows]
    return turn_faults(part, whole)


def check_judge(part: str, rows: list[Row]) -> list[str]:
    """What is wrong with the pairs of `judge`."""
    return [*pair_faults(part, rows), *one_feature(part, rows)]


def check_tone(part: str, rows: list[Row], tokenizer: PreTrainedTokenizerBase | None) -> list[str]:
    """What is wrong with the pairs of `tone`."""
    findings = [*pair_faults(part, rows), *one_feature(part, rows)]
    if tokenizer is not None:
        findings += cut_alike(part, rows, tokenizer, 128)
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


# A rule of one feature that is right in so many pairs leaves little else to learn: reward models
# agree with people on about 70 % of held-out pairs (InstructGPT, arXiv 2203.02155).
TOLD_APART = 0.9
# In fewer pairs some feature out of many tells them apart by chance.
FEWEST_PAIRS = 20
# How many features a report names, those of the most pairs first.
NAMED_FEATURES = 3
KINDS = {
    "has a digit": re.compile(r"\d"),
    "has a capital letter": re.compile(r"[A-Z]"),
    "has a line break": re.compile(r"\n"),
    "has a list": re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE),
    "has a character outside ASCII": re.compile(r"[^\x00-\x7f]"),
}
WORD = re.compile(r"[\w'\u2019-]+|[^\w\s]+")


def one_feature(part: str, rows: list[Row]) -> list[str]:
    """Warn of features that tell apart TOLD_APART of the pairs; prints how lengths compare."""
    pairs = [pair for pair in map(answers_of, rows) if all(pair) and len(set(pair)) == 2]
    if not pairs:
        return []
    longer = sum(len(chosen) > len(rejected) for chosen, rejected in pairs)
    shorter = sum(len(chosen) < len(rejected) for chosen, rejected in pairs)
    share = f"longer answer in {longer / len(pairs):.1%}, the shorter in {shorter / len(pairs):.1%}"
    print(f"{part:<5} chosen is the {share} of pairs")
    if len(pairs) < FEWEST_PAIRS:
        return []
    telling = Counter({"`chosen` is the longer": longer, "`chosen` is the shorter": shorter})
    for chosen, rejected in pairs:
        of_chosen, of_rejected = features(chosen), features(rejected)
        telling.update(f"only `chosen` {each}" for each in of_chosen - of_rejected)
        telling.update(f"only `rejected` {each}" for each in of_rejected - of_chosen)
    ordered = sorted(telling.items(), key=lambda each: (-each[1], each[0]))
    return [
        f"warning: {part}: {feature} in {count / len(pairs):.0%} of {len(pairs)} pairs,"
        " so that little else need be learnt"
        for feature, count in ordered[:NAMED_FEATURES]
        if count >= TOLD_APART * len(pairs)
    ]


def features(text: str) -> set[str]:
    """Return what a glance sees of a text: its words, its ends, its kinds of characters."""
    words = WORD.findall(text)
    ends = {f"begins with {words[0]!r}", f"ends with {words[-1]!r}"} if words else set()
    kinds = {name for name, pattern in KINDS.items() if pattern.search(text)}
    return {f"has {word!r}" for word in words} | ends | kinds


def cut_alike(
    part: str, rows: list[Row], tokenizer: PreTrainedTokenizerBase, max_length: int
) -> list[str]:
    """Name the pairs whose first `max_length` tokens, those of the prompt included, are the same.

    TRL cuts both answers there, and two equal ones change no weight.
    """
    alike = [
        row
        for row in rows
        if row["chosen"] != row["rejected"]
        and encoded(row, "chosen", tokenizer)[:max_length]
        == encoded(row, "rejected", tokenizer)[:max_length]
    ]
    what = f"whose answers are the same in the first {max_length} tokens (max_length)"
    return told("warning", part, what, numbers_of(alike))


def encoded(row: Row, answer: str, tokenizer: PreTrainedTokenizerBase) -> list[int]:
    """Return the prompt with one of its answers as the trainer reads them."""
    text = tokenizer.apply_chat_template(row["prompt"] + row[answer], tokenize=False)
    return tokenizer.encode(str(text), add_special_tokens=False)


def asked(prompt: list[dict[str, Any]]) -> str:
    """Return a prompt with its roles as one text: two prompts are the same where these are."""
    return "\n\n".join(f"{turn['role']}: {turn['content'].strip()}" for turn in prompt)


def said(answer: list[dict[str, Any]]) -> str:
    """Return all that an answer says, without blanks at its ends."""
    return "\n\n".join(turn["content"] for turn in answer).strip()
