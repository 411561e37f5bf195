"""The rewards of this task, one function each with TRL's signature, and the mix of each stage.

`python rewards.py [--row N] [--text FILE]` scores a text (left out: the ideal completion of that
training row, or of the first one) and says why.
"""

import argparse
import re
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer, PreTrainedTokenizerBase

from answers import read_answer, same_answer, without_end_tokens
from data import load_train
from prompts import ideal_completion
from schedules import Linear
from stages import BASE

XML_TAGS_TAGS = ("reasoning", "answer")
WELL_FORMED_TAGS = ("reasoning", "answer")
CONCISE_MAX_TOKENS = 400
NO_BOILERPLATE_PATTERNS = (
    re.compile(r"(?i)\bas an ai\b"),
    re.compile(r"(?i)\bI cannot\b"),
)


def once_a_batch(
    reward: Callable[..., list[float | None]],
) -> Callable[..., list[float | None]]:
    """Let a reward score each batch once, however many others ask for it."""
    known: list[tuple[dict[str, Any], list[float | None]]] = []  # the last batch

    @wraps(reward)
    def remembered(**columns: Any) -> list[float | None]:
        for asked, marks in known[:]:
            if asked == columns:
                return list(marks)
        marks = reward(**columns)
        known[:] = [(columns, marks)]
        return list(marks)

    return remembered


@once_a_batch
def correct(completions: list[Any], gold: list[str], **columns: Any) -> list[float | None]:
    """Pay 1.0 where an answer is read and equals the gold, else 0.0.

    Gamed by a guess: how the answer was reached is not looked at.
    """
    return [
        score_correct(completion_text(completion), one_gold)
        for completion, one_gold in zip(completions, gold, strict=True)
    ]


def xml_tags(completions: list[Any], **columns: Any) -> list[float | None]:
    """Pay an equal share, up to 1.0 in all, for each opening or closing tag that stands once.

    Gamed by the bare tags, in any order: neither what they hold nor what is outside is looked at.
    """
    return [
        score_xml_tags(completion_text(completion), XML_TAGS_TAGS) for completion in completions
    ]


def well_formed(completions: list[Any], **columns: Any) -> list[float | None]:
    """Pay 1.0 where each tag stands once, in order, closed and filled, with no text outside.

    Gamed by any filler between the tags: what stands there is not looked at.
    """
    return [
        score_xml_format(completion_text(completion), WELL_FORMED_TAGS)
        for completion in completions
    ]


def concise(
    completions: list[Any], completion_ids: list[list[int]], **columns: Any
) -> list[float | None]:
    """Pay 1.0 up to the maximum length, falling evenly to 0.0 at twice the maximum.

    Gamed by saying nothing: an empty completion is paid in full.
    This holds where `correct` gives its full 1.0; elsewhere it is 0.0.
    """
    gate = correct(completions=completions, completion_ids=completion_ids, **columns)
    return [
        score_length_at_most(len(ids), CONCISE_MAX_TOKENS) if full == 1.0 else 0.0
        for ids, full in zip(completion_ids, gate, strict=True)
    ]


def no_boilerplate(completions: list[Any], **columns: Any) -> list[float | None]:
    """Take away 1.0 where one of the patterns is found, else pay 0.0.

    Gamed by the same thing in words that no pattern names.
    """
    return [
        score_forbidden(completion_text(completion), NO_BOILERPLATE_PATTERNS)
        for completion in completions
    ]


MIXES: dict[str, dict[Callable[..., list[float | None]], float | Linear]] = {
    "reasoning": {
        correct: 2.0,
        xml_tags: 0.25,
        well_formed: 0.5,
        concise: Linear(0.0, 0.2, steps=200),
        no_boilerplate: 0.2,
    },
}


COUNT_TOKENS = (concise,)


@cache
def tokenizer() -> PreTrainedTokenizerBase:
    """The base model's tokenizer, for the rewards that count tokens."""
    return AutoTokenizer.from_pretrained(BASE)


def tokens(text: str) -> int:
    """The length of a text in tokens."""
    return len(tokenizer().encode(text, add_special_tokens=False))


def pay(reward: Callable[..., list[float | None]], text: str, row: dict[str, Any]) -> float | None:
    """What one reward gives a text written for a row of `load_train` or `load_eval`."""
    ids = tokenizer().encode(text, add_special_tokens=False) if reward in COUNT_TOKENS else []
    calls = {name: [value] for name, value in row.items() if name != "prompt"} | {
        "prompts": [row["prompt"]],
        "completions": [[{"role": "assistant", "content": text}]],
        "completion_ids": [ids],
    }
    return reward(**calls)[0]


def score(text: str, row: dict[str, Any]) -> dict[str, float | None]:
    """What each reward gives a text written for a row, by the reward's name."""
    return {
        reward.__name__: pay(reward, text, row)
        for reward in (correct, xml_tags, well_formed, concise, no_boilerplate)
    }


def reasons(text: str, row: dict[str, Any]) -> dict[str, str]:
    """Why each reward scores a text as it does, by the reward's name."""
    return {
        "correct": explain_correct(text, row["gold"]),
        "xml_tags": explain_xml_tags(text, XML_TAGS_TAGS),
        "well_formed": explain_xml_format(text, WELL_FORMED_TAGS),
        "concise": explain_length_at_most(tokens(text), CONCISE_MAX_TOKENS)
        + ", paid only where `correct` is full",
        "no_boilerplate": explain_forbidden(text, NO_BOILERPLATE_PATTERNS),
    }


def main() -> None:
    """Print what was read in one text, each reward of it, and why."""
    parser = argparse.ArgumentParser(description="Score one text under the rewards of this task.")
    parser.add_argument(
        "--row", type=int, help="position in the source, from 0; left out: the first"
    )
    parser.add_argument(
        "--text", type=Path, help="file with the text; left out: the row's ideal completion"
    )
    arguments = parser.parse_args()
    if arguments.text and not arguments.text.is_file():
        parser.error(f"--text: {arguments.text} is no file")
    rows = {row["row_number"]: row for row in load_train().to_list()}
    number = min(rows) if arguments.row is None else arguments.row
    if number not in rows:
        raise SystemExit(f"row {number} is not trained on: it is held out, left out, or not there")
    row = rows[number]
    text = arguments.text.read_text(encoding="utf-8") if arguments.text else ideal_completion(row)
    print(text, end="\n\n")
    print(f"read {read_answer(text)!r}, the gold is {row['gold']!r}", end="\n\n")
    why = reasons(text, row)
    for name, value in score(text, row).items():
        rounded = None if value is None else round(value, 4)
        print(f"{name:<14} {rounded!s:>6}  {why[name]}")


def completion_text(completion: str | list[dict[str, Any]], *, opening: str = "<think>\n") -> str:
    """Return the last thing the assistant said with its thinking, or "" where it said nothing.

    `opening` begins a thinking block; it is empty where the prompt does that already.
    """
    # TRL gives a string for a plain prompt and a list of messages for a conversation.
    if isinstance(completion, str):
        return without_end_tokens(completion)
    for message in reversed(completion):
        if message.get("role", "assistant") != "assistant":
            continue
        said = message.get("content") or ""
        # TRL takes the thinking out of the content where the tokenizer says how to parse it.
        if thought := message.get("reasoning_content"):
            said = f"{opening}{thought}\n</think>\n\n{said}"
        if said:
            return without_end_tokens(said)
    return ""


def score_correct(text: str, gold: str) -> float:
    """Pay 1.0 where an answer is read and equals the gold, else 0.0.

    Gamed by a guess: how the answer was reached is not looked at.
    """
    answer = read_answer(text)
    return 1.0 if answer is not None and same_answer(answer, gold) else 0.0


def explain_correct(text: str, gold: str) -> str:
    """Say what was read, and what the gold is."""
    answer = read_answer(text)
    read = "nothing" if answer is None else f"`{answer}`"
    return f"read {read}, gold `{gold}`"


def stray_tags(text: str, tags: tuple[str, ...]) -> list[str]:
    """Return the opening and closing tags that do not stand exactly once."""
    tokens = [token for tag in tags for token in (f"<{tag}>", f"</{tag}>")]
    return [token for token in tokens if text.count(token) != 1]


def score_xml_tags(text: str, tags: tuple[str, ...]) -> float:
    """Pay an equal share, up to 1.0 in all, for each opening or closing tag that stands once.

    Gamed by the bare tags, in any order: neither what they hold nor what is outside is looked at.
    """
    return 1.0 - len(stray_tags(text, tags)) / (2 * len(tags))


def explain_xml_tags(text: str, tags: tuple[str, ...]) -> str:
    """Name the tags that are missing or repeated."""
    stray = [f"`{token}` {text.count(token)} times" for token in stray_tags(text, tags)]
    return ", ".join(stray) or "every tag once"


def xml_format_fault(text: str, tags: tuple[str, ...]) -> str | None:
    """Return the first thing wrong with the layout of `text`, or None."""
    # Tags are counted and then walked through, because a pattern lets a repeated tag pass.
    tokens = [token for tag in tags for token in (f"<{tag}>", f"</{tag}>")]
    for token in tokens:
        times = text.count(token)
        if times != 1:
            return f"`{token}` stands {times} times" if times else f"`{token}` is missing"
    starts = [text.index(token) for token in tokens]
    if starts != sorted(starts):
        return "the tags are out of order"
    for tag in tags:
        outside, _, text = text.partition(f"<{tag}>")
        content, _, text = text.partition(f"</{tag}>")
        if outside.strip():
            return f"there is text before `<{tag}>`"
        if not content.strip():
            return f"`<{tag}>` is empty"
    return f"there is text after `</{tags[-1]}>`" if text.strip() else None


def score_xml_format(text: str, tags: tuple[str, ...]) -> float:
    """Pay 1.0 where each tag stands once, in order, closed and filled, with no text outside.

    Gamed by any filler between the tags: what stands there is not looked at.
    """
    return 0.0 if xml_format_fault(text, tags) else 1.0


def explain_xml_format(text: str, tags: tuple[str, ...]) -> str:
    """Say what is wrong with the layout, or that nothing is."""
    return xml_format_fault(text, tags) or "every tag once, in order"


def score_length_at_most(length: int, maximum: int) -> float:
    """Pay 1.0 up to the maximum length, falling evenly to 0.0 at twice the maximum.

    Gamed by saying nothing: an empty completion is paid in full.
    """
    return min(1.0, max(0.0, 2.0 - length / maximum))


def explain_length_at_most(length: int, maximum: int) -> str:
    """Say the length and the most that is paid in full."""
    return f"length {length}, at most {maximum}"


def forbidden_match(text: str, patterns: tuple[re.Pattern[str], ...]) -> re.Match[str] | None:
    """Return where the first pattern that is found matches, or None."""
    matches = (pattern.search(text) for pattern in patterns)
    return next((match for match in matches if match), None)


def score_forbidden(text: str, patterns: tuple[re.Pattern[str], ...]) -> float:
    """Take away 1.0 where one of the patterns is found, else pay 0.0.

    Gamed by the same thing in words that no pattern names.
    """
    return -1.0 if forbidden_match(text, patterns) else 0.0


def explain_forbidden(text: str, patterns: tuple[re.Pattern[str], ...]) -> str:
    """Name the pattern that was found, and what it matched."""
    match = forbidden_match(text, patterns)
    return f"`{match.re.pattern}` matches `{match[0]}`" if match else "no pattern is found"


if __name__ == "__main__":
    main()
