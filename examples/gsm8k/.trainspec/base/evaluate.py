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
from models import load_model
from sampling import Completions, sample
from stages import BASE, OUTPUTS
from tables import tables

VERSION = 1  # of the form of evaluation.json
NAMES = ("base", "warmup", "reasoning")  # of what can be scored
# The models that complete the rows, and which others each is held against.
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
    """Score what is there, print the tables and write the figures down."""
    parser = argparse.ArgumentParser(description="Score models on held-out rows.")
    parser.add_argument(
        "--stage",
        action="append",
        choices=NAMES,
        help="only this one; may be given again; left out: all",
    )
    parser.add_argument("--rows", type=int, help="only the first rows; left out: all")
    arguments = parser.parse_args()
    names = [name for name in arguments.stage or NAMES if is_there(name)]
    report: dict[str, Any] = {"version": VERSION}
    report |= {"seed": SEED, "sampling": SAMPLING, "models": score_models(names, arguments.rows)}
    print(tables(report))
    whole = arguments.stage is None and arguments.rows is None
    OUTPUTS.mkdir(exist_ok=True)
    path = OUTPUTS / ("evaluation.json" if whole else "evaluation-part.json")
    path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\nwritten to {path}")
    if whole and (low := below_minimum(report)):
        raise SystemExit("\n".join(low))


def is_there(name: str) -> bool:
    """Whether a model can be scored; says so where its stage has not ended."""
    if name == "base":
        return True
    folder = OUTPUTS / name / "model"
    if (folder / "config.json").is_file():
        return True
    print(f"{name}: skipped, {folder} is not there yet")
    return False


def score_models(names: list[str], count: int | None) -> dict[str, Any]:
    """The figures of each of these models on the held-out rows, on the first or on all."""
    rows = short_enough(load_eval(), AutoTokenizer.from_pretrained(BASE)).to_list()[:count]
    results: dict[str, Any] = {}
    graded: dict[str, Graded] = {}
    for name in MODELS:
        if name not in names:
            continue
        completions = completions_of(name, rows)
        results[name] = {"rows": len(rows), **lengths_of(completions)}
        graded[name] = grade(rows, completions.texts)
        others = [other for other in MODELS[name] if other in graded]
        results[name] |= {
            **figures(graded[name]),
            "against": {other: compare(graded[name], graded[other]) for other in others},
            "examples": examples(graded[name]),
        }
    return results


def completions_of(name: str, rows: list[Row]) -> Completions:
    """What one model says to the rows; the model is not kept."""
    print(f"{name}: {len(rows)} rows, {SAMPLES} completions each", flush=True)
    path = BASE if name == "base" else str(OUTPUTS / name / "model")
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


def below_minimum(report: dict[str, Any]) -> list[str]:
    """What is demanded and not reached, or not known."""
    low: list[str] = []
    rewards = report["models"].get(LAST, {}).get("rewards", {})
    for reward, least in MINIMUM.items():
        mean = rewards[reward]["mean"] if rewards else None
        if mean is None or mean < least:
            low.append(f"{LAST}: {reward} is {shown(mean)}, and the minimum is {least:g}")
    return low


def shown(figure: float | None) -> str:
    """A figure as a message shows it."""
    return "not known" if figure is None else f"{figure:.4g}"


if __name__ == "__main__":
    main()
