"""What is wrong with the rows, said before a GPU is paid for.

Run with `python data.py [--all]`; exits 1 where an error is found. Row numbers are positions in the
source, from 0. Where there are many rows, crafted completions are tried on a sample of them, the
same one each time; `--all` tries them on every row.
"""

import argparse
import math
import random
from collections import defaultdict
from statistics import median
from typing import Any

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

import probes
import stage_report
import template_report
from data import COLUMNS, MAX_PROMPT_TOKENS, add_prompt, eval_source, prompt_tokens, train_source
from findings import Row, empty_columns, end_report, numbers_of, told
from prompts import ideal_completion, user_text
from stages import BASE
from tokens import load_tokenizer

# TRL hands rewards its own values under these names, or looks for images there.
RESERVED = {
    "completion",
    "completion_ids",
    "completions",
    "environment",
    "environments",
    "image",
    "images",
    "log_extra",
    "log_metric",
    "prompts",
    "trainer_state",
}
STAND_INS = {"n/a", "na", "nan", "nil", "none", "null"}
# Rows that crafted completions are tried on, unless `--all` asks for every one.
PROBED_ROWS = 10000
# Prompts in one generation batch, and max_completion_length, as in the stage's script.
PROMPTS_NEEDED = {"improve": 8}
COMPLETION_LIMITS = {"improve": 64}
# max_length as in the stage's script: prompt and completion together.
SEQUENCE_LIMITS = {"imitate": 1024, "judge": 1024}


def main() -> None:
    """Report on every row of each part, and exit 1 where an error is found."""
    parser = argparse.ArgumentParser(description="Say what is wrong with the rows of this task.")
    parser.add_argument(
        "--all", action="store_true", help="try crafted completions of every row, not of a sample"
    )
    every_row = parser.parse_args().all
    tokenizer, findings = find_tokenizer()
    train, found = usable_rows("train", train_source())
    findings += found
    findings += check_part("train", train, tokenizer, every_row=every_row)
    findings += template(train, tokenizer)
    findings += enough_prompts(train)
    evaluation, found = usable_rows("eval", eval_source())
    findings += found
    findings += check_part("eval", evaluation, tokenizer, every_row=every_row)
    findings += overlap(train, evaluation)
    findings += stage_report.report(tokenizer)
    end_report(findings)


def find_tokenizer() -> tuple[PreTrainedTokenizerBase | None, list[str]]:
    """The base model's tokenizer, from this machine or the hub, or what is missing."""
    try:
        return load_tokenizer(BASE), []
    except (OSError, ValueError):
        return None, [
            "warning: lengths are not checked: the tokenizer of HuggingFaceTB/SmolLM2-360M-Instruct cannot be loaded"
        ]
    except SystemExit as refused:
        return None, [f"error: {refused}"]


def check_part(
    part: str, rows: list[Row], tokenizer: PreTrainedTokenizerBase | None, *, every_row: bool
) -> list[str]:
    """What is wrong with the usable rows of one part, whose figures are printed."""
    findings = repeated(part, rows)
    probed = rows
    if len(rows) > PROBED_ROWS and not every_row:
        probed = random.Random(42).sample(rows, PROBED_ROWS)
        print(f"{part:<5} completions are tried on {PROBED_ROWS} of {len(rows)} rows; all: --all")
    findings += probes.self_test(part, probed)
    if tokenizer is not None:  # one of them counts tokens
        probes.other_marks(part, probed)
    return findings + lengths(part, rows, tokenizer)


def usable_rows(part: str, source: Dataset) -> tuple[list[Row], list[str]]:
    """The rows that have what the prompt needs, and what is wrong with columns and other rows."""
    print(f"{part:<5} {len(source)} rows")
    names = source.column_names
    missing = [name for name in COLUMNS if name not in names]
    if missing or len(source) == 0:
        among = ", ".join(f"`{name}`" for name in names)
        findings = [f"error: {part}: no column `{name}` among {among}" for name in missing]
        return [], findings or [f"error: {part}: no rows"]
    findings = [
        f"error: {part}: TRL uses the name of column `{name}` itself, rename the column"
        for name in sorted(RESERVED.intersection(names))
    ]
    every = source.to_list()
    findings += empty_columns(part, every, COLUMNS)
    rows: list[Row] = []
    faults, doubts = defaultdict(list), defaultdict(list)
    for row in every:
        number = row["row_number"]
        found = [fault for name in COLUMNS if (fault := cell_fault(name, row[name]))]
        for name in COLUMNS:
            if str(row[name]).strip().lower() in {"", *STAND_INS} and isinstance(row[name], str):
                doubts[f"with {row[name].strip()!r} in `{name}`"].append(number)
        try:
            rows += [] if found else [add_prompt(row)]
        except ValueError as error:
            found = [f"that cannot be used, with {error}"]
        for fault in found:
            faults[fault].append(number)
    findings += [line for fault, at in faults.items() for line in told("error", part, fault, at)]
    findings += [line for doubt, at in doubts.items() for line in told("warning", part, doubt, at)]
    return rows, findings


def cell_fault(name: str, cell: Any) -> str | None:
    """What is wrong with one cell, or None: text and numbers can stand in a prompt."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return f"with nothing in `{name}`"
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        return f"with a {type(cell).__name__} in `{name}`, where text is needed"
    return None


def repeated(part: str, rows: list[Row]) -> list[str]:
    """Rows that ask the same: with one gold they count double, with two one of them is wrong."""
    asked: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        asked[user_text(row).strip()].append(row)
    blank = numbers_of(asked.pop("", []))
    again: list[int] = []
    at_odds: list[int] = []
    for first, *others in asked.values():
        same = True
        again += numbers_of(others) if same else []
        at_odds += [] if same else numbers_of([first, *others])
    return [
        *told("error", part, "with an empty user message", blank),
        *told("error", part, "asking the same with different golds", at_odds),
        *told("warning", part, "asking what an earlier one asks", again),
    ]


def overlap(train: list[Row], evaluation: list[Row]) -> list[str]:
    """Held-out rows that are trained on: their score says nothing about new ones."""
    learnt = {user_text(row).strip() for row in train}
    known = [row for row in evaluation if user_text(row).strip() in learnt]
    return told("warning", "eval", "asking what a training row asks", numbers_of(known))


def template(rows: list[Row], tokenizer: PreTrainedTokenizerBase | None) -> list[str]:
    """What is wrong with how the chat template renders prompts and answers."""
    if tokenizer is None or not rows:
        return []
    said = {row["row_number"]: [*row["prompt"], answer(row)] for row in rows}
    return [
        *template_report.check_prompt(rows[0]["prompt"], tokenizer),
        *template_report.changed_answers("train", said, tokenizer),
    ]


def answer(row: Row) -> dict[str, str]:
    """The turn that SFT learns."""
    return {"role": "assistant", "content": ideal_completion(row)}


def enough_prompts(rows: list[Row]) -> list[str]:
    """Stages that cannot fill a generation batch: TRL would train no step and report no error."""
    return [
        f"error: train: {len(rows)} usable rows, but `{stage}` needs {needed} for one step"
        for stage, needed in PROMPTS_NEEDED.items()
        if len(rows) < needed
    ]


def lengths(part: str, rows: list[Row], tokenizer: PreTrainedTokenizerBase | None) -> list[str]:
    """What is too long for what the stages allow, in tokens."""
    if tokenizer is None or not rows:
        return []
    numbers = numbers_of(rows)
    prompts = [prompt_tokens(row["prompt"], tokenizer) for row in rows]
    print(f"{part:<5} prompt tokens: {spread(prompts)}")
    limits = [("error", "prompt", prompts, MAX_PROMPT_TOKENS, "max_prompt_tokens")]
    ideals = [
        len(tokenizer.encode(ideal_completion(row), add_special_tokens=False)) for row in rows
    ]
    ideals = [length + 1 for length in ideals]  # the token that ends the turn
    print(f"{part:<5} ideal completion tokens: {spread(ideals)}")
    for stage, limit in COMPLETION_LIMITS.items():
        limits += [("warning", "ideal completion", ideals, limit, f"`{stage}`")]
    both = [prompt + ideal for prompt, ideal in zip(prompts, ideals, strict=True)]
    for stage, limit in SEQUENCE_LIMITS.items():
        limits += [("warning", "prompt with ideal completion", both, limit, f"`{stage}`")]
    findings = []
    for level, what, tokens, limit, source in limits:
        over = [number for number, length in zip(numbers, tokens, strict=True) if length > limit]
        findings += told(level, part, f"whose {what} is over the {limit} tokens of {source}", over)
    return findings


def spread(lengths: list[int]) -> str:
    """The smallest, the middle, the 95th of a hundred and the largest length."""
    high = sorted(lengths)[math.ceil(0.95 * len(lengths)) - 1]
    return f"min {min(lengths)}, median {median(lengths):g}, p95 {high}, max {max(lengths)}"
