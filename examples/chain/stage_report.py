"""What is wrong with the rows that stages have of their own, said before a GPU is paid for.

Run with `python data.py`; exits 1 where an error is found. Row numbers are positions in the source,
from 0.
"""

import json
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from datasets import Dataset
from transformers import PreTrainedTokenizerBase

import answer_report
import data
import template_report
from findings import Row, empty_columns, numbers_of, told

# What a row may have in tokens, as in the stage's script, and what becomes of a longer one.
LIMITS = {"judge": (1024, "left out by TRL")}


def report(tokenizer: PreTrainedTokenizerBase | None) -> list[str]:
    """What is wrong with the rows of each stage that has its own."""
    return [
        *check_stage(
            "judge",
            {"train": data.judge_train_source()},
            data.judge_row,
            tokenizer,
            answer_report.check_judge,
            partial(template_report.check_rows, tokenizer=tokenizer),
        ),
    ]


def check_stage(
    stage: str,
    sources: dict[str, Dataset],
    convert: Callable[[Row], Row],
    tokenizer: PreTrainedTokenizerBase | None,
    *checks: Callable[[str, list[Row]], list[str]],
) -> list[str]:
    """What is wrong with the rows of one stage, whose number is printed, by `checks` as well."""
    findings: list[str] = []
    learnt: set[str] = set()
    for part, source in sources.items():
        name = f"{stage} {part}"
        print(f"{name}: {len(source)} rows")
        rows, found = usable_rows(name, source, convert, data.STAGE_COLUMNS[stage])
        findings += found
        seen: set[str] = set()
        again = [row for row in rows if what_it_says(row) in seen or seen.add(what_it_says(row))]
        findings += told("warning", name, "that say what an earlier one says", numbers_of(again))
        known = [row for row in rows if what_it_says(row) in learnt]
        findings += told("warning", name, "that a training row says too", numbers_of(known))
        learnt |= seen
        findings += long_rows(stage, name, rows, tokenizer)
        for check in checks:
            findings += check(name, rows)
    return findings


def usable_rows(
    name: str, source: Dataset, convert: Callable[[Row], Row], columns: tuple[str, ...]
) -> tuple[list[Row], list[str]]:
    """The rows as the stage learns from them, and what is wrong with columns and other rows."""
    among = ", ".join(f"`{column}`" for column in source.column_names)
    missing = [column for column in columns if column not in source.column_names]
    if missing:
        return [], [f"error: {name}: no column `{column}` among {among}" for column in missing]
    if len(source) == 0:
        return [], [f"error: {name}: no rows"]
    every = source.to_list()
    findings = empty_columns(name, every, columns)
    rows: list[Row] = []
    faults: dict[str, list[int]] = defaultdict(list)
    for row in every:
        found = [f"with nothing in `{column}`" for column in columns if row[column] is None]
        try:
            rows += [] if found else [{"row_number": row["row_number"]} | convert(row)]
        except ValueError as error:
            found = [f"that cannot be used: {error}"]
        for fault in found:
            faults[fault].append(row["row_number"])
    findings += [line for fault, at in faults.items() for line in told("error", name, fault, at)]
    blank = [row for row in rows if "prompt" in row and not row["prompt"][-1]["content"].strip()]
    findings += told("warning", name, "with an empty prompt", numbers_of(blank))
    return rows, findings


def long_rows(
    stage: str, name: str, rows: list[Row], tokenizer: PreTrainedTokenizerBase | None
) -> list[str]:
    """Rows that are longer than the stage allows, in tokens; how long they are is printed."""
    if tokenizer is None or not rows:
        return []
    limit, consequence = LIMITS[stage]
    lengths = [row_tokens(row, tokenizer) for row in rows]
    print(f"{name}: tokens of the longest row: {max(lengths)}")
    over = [row for row, length in zip(rows, lengths, strict=True) if length > limit]
    what = f"over the {limit} tokens of `{stage}`, {consequence}"
    return told("warning", name, what, numbers_of(over))


def row_tokens(row: Row, tokenizer: PreTrainedTokenizerBase) -> int:
    """The tokens of a row, of its longer answer where it has two."""
    if "text" in row:
        return len(tokenizer.encode(row["text"]))
    if "messages" in row:
        return len(tokenizer.apply_chat_template(row["messages"], return_dict=False))
    answers = [row[part] for part in ("chosen", "rejected", "completion") if part in row]
    return max(
        len(tokenizer.apply_chat_template(row["prompt"] + answer, return_dict=False))
        for answer in answers or [[]]
    )


def what_it_says(row: Row) -> str:
    """A row but for its number, as one text."""
    return json.dumps({key: cell for key, cell in row.items() if key != "row_number"}, default=str)
