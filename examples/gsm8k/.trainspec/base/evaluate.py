"""How good the base model and each stage are on the held-out rows.

`python evaluate.py` prints tables and writes outputs/evaluation.json once a stage has ended. With
`--stage` or `--rows` it looks at a part and writes outputs/evaluation-part.json.
"""

import argparse
import json
from statistics import fmean, median
from typing import Any

import torch
from transformers import AutoTokenizer, GenerationConfig

from data import load_eval, short_enough
from estimates import mean_estimate, share_estimate
from grading import Graded, compare, examples, figures, grade
from sampling import Completions, load_model, sample
from stages import BASE, OUTPUTS
from tables import tables

VERSION = 1  # of the form of evaluation.json
# The models, and which others each is held against.
MODELS = {"base": (), "warmup": ("base",), "reasoning": ("base", "warmup")}
SEED = 42
SAMPLES = 4  # completions of a row
# Written out, since what is left out would come from each model's own generation config.
SAMPLING: dict[str, Any] = {
    "num_return_sequences": SAMPLES,
    "do_sample": True,
    "temperature": 0.7,
    "top_p": 1.0,
    "top_k": 0,
    "min_p": None,
    "repetition_penalty": 1.0,
    "max_new_tokens": 768,
}
LAST = "reasoning"
MINIMUM = {"correct": 0.6}  # mean of a reward in the last stage
Row = dict[str, Any]


def main() -> None:
    """Score each model that is there, print the tables and write the figures down."""
    parser = argparse.ArgumentParser(description="Score models on the held-out rows.")
    parser.add_argument(
        "--stage",
        action="append",
        choices=MODELS,
        help="only this model; may be given again; left out: the base and each stage",
    )
    parser.add_argument("--rows", type=int, help="only the first rows; left out: all")
    arguments = parser.parse_args()
    models = score_models(arguments.stage or list(MODELS), arguments.rows)
    report = {"version": VERSION, "seed": SEED, "sampling": SAMPLING, "models": models}
    print(tables(report))
    whole = arguments.stage is None and arguments.rows is None
    OUTPUTS.mkdir(exist_ok=True)
    path = OUTPUTS / ("evaluation.json" if whole else "evaluation-part.json")
    path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nwritten to {path}")
    if whole:
        hold_against_minimum(models)


def score_models(names: list[str], count: int | None) -> dict[str, Any]:
    """The figures of each of these models that is there, on the first rows or on all."""
    rows = short_enough(load_eval(), AutoTokenizer.from_pretrained(BASE)).to_list()[:count]
    results: dict[str, Any] = {}
    graded: dict[str, Graded] = {}
    for name in MODELS:
        folder = OUTPUTS / name / "model"
        if name not in names:
            continue
        if name != "base" and not (folder / "config.json").is_file():
            print(f"{name}: skipped, {folder} is not there yet")
            continue
        completions = completions_of(name, BASE if name == "base" else str(folder), rows)
        results[name] = {"rows": len(rows), **lengths_of(completions)}
        graded[name] = grade(rows, completions.texts)
        others = [other for other in MODELS[name] if other in graded]
        results[name] |= {
            **figures(graded[name]),
            "against": {other: compare(graded[name], graded[other]) for other in others},
            "examples": examples(graded[name]),
        }
    return results


def completions_of(name: str, path: str, rows: list[Row]) -> Completions:
    """What one model says to the rows; the model is not kept."""
    print(f"{name}: {len(rows)} rows, {SAMPLES} completions each", flush=True)
    torch.manual_seed(SEED)
    return sample(
        load_model(path),
        AutoTokenizer.from_pretrained(path),
        [row["prompt"] for row in rows],
        GenerationConfig(**SAMPLING),
        label=name,
    )


def lengths_of(completions: Completions) -> dict[str, Any]:
    """How long completions are in tokens, and how many of them are cut at the limit."""
    lengths = [length for row in completions.lengths for length in row]
    return {
        "tokens": {
            **mean_estimate(fmean(row) for row in completions.lengths),
            "median": median(lengths),
            "longest": max(lengths),
        },
        "truncated": share_estimate(fmean(row) for row in completions.truncated),
    }


def hold_against_minimum(results: dict[str, Any]) -> None:
    """Exit 1 where the last stage is not there or scores below the minimum."""
    if LAST not in results:
        raise SystemExit(f"{LAST}: not there yet, so that the minimum is not reached")
    rewards = results[LAST]["rewards"]
    low = [
        f"{LAST}: {reward} is {rewards[reward]['mean']}, below the minimum of {least:g}"
        for reward, least in MINIMUM.items()
        if rewards[reward]["mean"] is None or rewards[reward]["mean"] < least
    ]
    if low:
        raise SystemExit("\n".join(low))


if __name__ == "__main__":
    main()
