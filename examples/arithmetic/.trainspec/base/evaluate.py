"""How good the base model and each stage are on the held-out rows.

Run with `python evaluate.py` once a stage has ended; prints a table and writes
outputs/evaluation.json.
"""

import json
import math
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Any, TypeVar

import torch
from transformers import AutoModelForCausalLM, GenerationConfig

from answers import read_answer, same_answer
from data import load_eval, short_enough
from rewards import score
from stages import BASE, OUTPUTS
from tokens import load_tokenizer

Row = dict[str, Any]
Scored = TypeVar("Scored")
STAGES = ("warmup", "reasoning")
SAMPLES = 4  # completions of a row
ROWS_AT_ONCE = 64
SEED = 42
SHOWN_REWARDS = ("xml_tags", "well_formed")


def main() -> None:
    """Score each model that is there, print the table and write it down."""
    results = {"base": evaluate(BASE)}
    for stage in STAGES:
        model = OUTPUTS / stage / "model"
        if (model / "config.json").is_file():
            results[stage] = evaluate(str(model))
        else:
            print(f"{stage}: skipped, {model} is not there yet")
    print(table(results))
    OUTPUTS.mkdir(exist_ok=True)
    report = {"samples": SAMPLES, "seed": SEED, "models": results}
    path = OUTPUTS / "evaluation.json"
    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


@torch.inference_mode()
def evaluate(path: str) -> dict[str, Any]:
    """The figures of one model over the held-out rows."""
    print(f"sampling from {path}", flush=True)
    # The type Any, since the auto class does not promise a model that generates.
    tokenizer = load_tokenizer(path)
    model: Any = AutoModelForCausalLM.from_pretrained(path, dtype="float32", device_map="cpu")
    ends = end_tokens(model.generation_config.eos_token_id, tokenizer.eos_token_id)
    # Written out, since what is left out would come from the model's own generation_config.
    sampling = GenerationConfig(
        do_sample=True,
        temperature=0.7,
        top_p=1.0,
        top_k=0,
        repetition_penalty=1.0,
        max_new_tokens=48,
        num_return_sequences=SAMPLES,
        eos_token_id=sorted(ends),
        pad_token_id=min(ends) if tokenizer.pad_token_id is None else tokenizer.pad_token_id,
    )
    torch.manual_seed(SEED)
    rows = short_enough(load_eval(), tokenizer).to_list()
    completions: list[list[int]] = []
    for start in range(0, len(rows), ROWS_AT_ONCE):
        batch = tokenizer.apply_chat_template(
            [row["prompt"] for row in rows[start : start + ROWS_AT_ONCE]],
            add_generation_prompt=True,
            padding=True,
            tokenizer_kwargs={"padding_side": "left"},  # so that each completion follows its prompt
            return_tensors="pt",
            return_dict=True,
        ).to(model.device)
        output = model.generate(**batch, generation_config=sampling)
        completions += output[:, batch["input_ids"].shape[1] :].tolist()
    lengths = [completion_length(ids, ends) for ids in completions]
    texts = [
        tokenizer.decode(ids[:length], skip_special_tokens=True)
        for ids, length in zip(completions, lengths, strict=True)
    ]
    sampled_rows = [row for row in rows for _ in range(SAMPLES)]
    return {
        "rows": len(rows),
        **correctness(texts, sampled_rows),
        "rewards": reward_means(texts, sampled_rows),
        "tokens": fmean(lengths),
        "truncated": fmean(ends.isdisjoint(ids) for ids in completions),
        "examples": texts[::SAMPLES][:5],  # the first completion of the first rows
    }


def end_tokens(*declared: int | list[int] | None) -> set[int]:
    """The tokens that end a completion: a model may declare one, several or none."""
    ends: set[int] = set()
    for tokens in declared:
        ends.update([] if tokens is None else [tokens] if isinstance(tokens, int) else tokens)
    return ends


def completion_length(ids: list[int], ends: set[int]) -> int:
    """The number of tokens up to the first end token and with it, all of them where none is."""
    return next((count for count, token in enumerate(ids, start=1) if token in ends), len(ids))


def correctness(texts: list[str], rows: list[Row]) -> dict[str, Any]:
    """How many completions are right, and how sure that is."""
    answers = [read_answer(text) for text in texts]
    right = [
        answer is not None and same_answer(answer, row["gold"])
        for answer, row in zip(answers, rows, strict=True)
    ]
    counts = [sum(right[start : start + SAMPLES]) for start in range(0, len(right), SAMPLES)]
    return {
        "correct": fmean(right),
        "interval": wilson(fmean(right), len(counts)),
        "pass_at": {k: fmean(pass_at(k, count) for count in counts) for k in range(1, SAMPLES + 1)},
        "unreadable": fmean(answer is None for answer in answers),
    }


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share of `count` rows, after Wilson.

    The samples of a row are alike, so that a row counts once: the interval is rather too wide.
    """
    z = 1.96
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return (middle - reach) / scale, (middle + reach) / scale


def pass_at(k: int, right: int) -> float:
    """The chance that k of a row's samples, so many of which are right, hold a right one."""
    return 1 - math.comb(SAMPLES - right, k) / math.comb(SAMPLES, k)


def over(function: Callable[[str, Row], Scored], texts: list[str], rows: list[Row]) -> list[Scored]:
    """The function's result for each completion with its row."""
    return list(map(function, texts, rows))


def reward_means(texts: list[str], rows: list[Row]) -> dict[str, float]:
    """The mean of each reward over the completions that it judged."""
    marks = over(score, texts, rows)
    return {name: mean(mark[name] for mark in marks) for name in marks[0]}


def mean(values: Iterable[float | None]) -> float:
    """The mean of the values that are there, nan where none is."""
    judged = [value for value in values if value is not None]
    return fmean(judged) if judged else math.nan


def table(results: dict[str, dict[str, Any]]) -> str:
    """The figures as a table with one line a model."""
    rows = [cells(name, result) for name, result in results.items()]
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
        for line in lines
    )


def cells(name: str, result: dict[str, Any]) -> dict[str, str]:
    """One line of the table by the heads of its columns."""
    return {
        "": name,
        "correct": f"{result['correct']:.3f}",
        "95 %": "-".join(f"{end:.3f}" for end in result["interval"]),
        f"pass@{SAMPLES}": f"{result['pass_at'][SAMPLES]:.3f}",
        "unreadable": f"{result['unreadable']:.3f}",
        **{reward: f"{result['rewards'][reward]:.3f}" for reward in SHOWN_REWARDS},
        "tokens": f"{result['tokens']:.1f}",
        "truncated": f"{result['truncated']:.3f}",
    }


if __name__ == "__main__":
    main()
