"""Odd values in every key of the language: whatever stands there, a check ends in findings."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compiler.diagnostics import Report, Stop
from compiler.parse import parse
from compiler.pipeline import check_document
from compiler.reference import json_schema
from compiler.source import SourceFile
from tests.projects import ROWS
from tests.test_validate import as_text

Schema = dict[str, Any]

SPEC: dict[str, Any] = {
    "spec": 1,
    "project": {
        "name": "sums",
        "stages": ["warmup", "scorer", "tone", "labels", "reasoning", "last"],
    },
    "model": {"base": "Qwen/Qwen2.5-0.5B-Instruct", "adapter": {"kind": "lora", "r": 8}},
    "hardware": {"tier": "24gb"},
    "data": {
        "train": {"path": "train.jsonl", "where": {"level": {"at_most": 30}}},
        "eval": {"holdout": 0.2},
        "gold": {"column": "answer"},
    },
    "prompt": {"user": "{question}", "assistant": "<answer>{gold}</answer>"},
    "answer": {"extract": "xml", "tag": "answer", "compare": "number"},
    "rewards": {
        "correct": 1.0,
        "scored": {"kind": "reward_model", "model": "scorer", "weight": 0.2},
    },
    "stages": {
        "warmup": {"method": "sft"},
        "scorer": {
            "method": "reward",
            "data": {
                "train": {"path": "pairs.csv", "delimiter": ";"},
                "eval": {"holdout": 2},
                "columns": {"question": "asked", "chosen": "good one", "rejected": "bad one"},
            },
        },
        "tone": {
            "method": "dpo",
            "loss_type": ["sigmoid", "sft"],
            "loss_weights": [1.0, 0.2],
            "data": {
                "train": [
                    {"path": "pairs.csv", "delimiter": ";", "share": 0.5},
                    {"path": "pairs.csv", "delimiter": ";", "share": 0.5},
                ],
                "columns": {"prompt": "asked", "chosen": "good one", "rejected": "bad one"},
            },
        },
        "labels": {
            "method": "kto",
            "adapter": {"kind": "none"},
            "data": {
                "train": {"path": "marks.jsonl"},
                "columns": {"prompt": "asked", "completion": "said", "label": "good"},
            },
        },
        "reasoning": {
            "method": "grpo",
            "prompts_per_step": 2,
            "rewards": {"correct": 1.0},
            "loss_type": "dr_grpo",
            "gate": {"reward": "correct", "at_least": 0.05},
            "until": {"reward": "correct", "at_least": 0.9},
        },
        "last": {
            "method": "rloo",
            "prompts_per_step": 2,
            "from": "warmup",
            "adapter": {"kind": "dora", "r": 4},
        },
    },
    "eval": {"minimum": {"correct": 0.5}, "minimum_accuracy": {"scorer": 0.6}},
    "run": {"tracking": {"to": "wandb", "project": "sums"}, "eval_every": 10},
}
TEXTS = (
    *("correct", "warmup", "scorer", "tone", "question", "answer", "asked", "train.jsonl", "base"),
    *("pairs.csv", "mine.py:units", "system.txt", "tokens", "./here", "../outside", "/", ".", ""),
    *("Qwen/Qwen3-8B", "google/gemma-2-2b-it", "chatml", "sigmoid", "exo_pair", "utf-16", ";"),
    *("{question}", "{gold}", "{{x}}", "{% if %}", "'''", '"""', "\n", "\x00", "ünï", "a" * 300),
)
NUMBERS = (0, 1, 2, 7, 64, 10**9, 10**20, -1, 0.0, 0.5, 1.0, 1e-9, 1e300, -0.5, 2.5)


class Odd:
    """Values as the schema of the language allows them, and others."""

    def __init__(self, seed: int) -> None:
        """Begin anew for each seed."""
        self.random = random.Random(seed)
        self.schema = json_schema()

    def plain(self, schema: Schema) -> Iterator[Schema]:
        """The forms that a value may have, without references."""
        if "$ref" in schema:
            yield from self.plain(self.schema["$defs"][schema["$ref"].rpartition("/")[2]])
        elif "anyOf" in schema or "oneOf" in schema:
            for form in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
                yield from self.plain(form)
        else:
            yield schema

    def value(self, schema: Schema) -> object:
        """A value of one of its forms."""
        form = self.random.choice(list(self.plain(schema)))
        match form:
            case {"const": only}:
                made = only
            case {"enum": words}:
                made = self.random.choice(words)
            case {"type": "integer" | "number"}:
                made = self.random.choice(NUMBERS)
            case {"type": "boolean"}:
                made = self.random.random() < 0.5
            case {"type": "array"}:
                items = form.get("items", {})
                made = [self.value(items) for _ in range(self.random.randrange(3))]
            case {"type": "object"}:
                made = self.table(form)
            case _:
                made = self.random.choice(TEXTS)
        return made

    def table(self, form: Schema) -> dict[str, Any]:
        """A table with its required keys and a few others."""
        required = form.get("required", ())
        made = {
            key: self.value(inner)
            for key, inner in form.get("properties", {}).items()
            if key in required or self.random.random() < 0.15
        }
        others = form.get("additionalProperties")
        if isinstance(others, dict):
            made[self.random.choice(TEXTS[:8])] = self.value(others)
        return made

    def tables(self, value: object, schema: Schema) -> Iterator[tuple[dict[str, Any], Schema]]:
        """Each table of a spec, with the form that the schema has for it."""
        if isinstance(value, list):
            for form in self.plain(schema):
                for item in value:
                    yield from self.tables(item, form.get("items", {}))
        if not isinstance(value, dict):
            return
        for form in self.plain(schema):
            keys = form.get("properties", {})
            chosen = (keys.get(key, {}).get("const", value.get(key)) for key in ("kind", "method"))
            if list(chosen) != [value.get("kind"), value.get("method")]:
                continue  # a table of another kind
            if form.get("type") == "object":
                yield value, form
            for key, inner in value.items():
                here = keys.get(key, form.get("additionalProperties"))
                if isinstance(here, dict):
                    yield from self.tables(inner, here)

    def damage(self, spec: dict[str, Any]) -> None:
        """Write a key of the language, or take one out, somewhere in a spec."""
        table, form = self.random.choice(list(self.tables(spec, self.schema)))
        keys = form.get("properties", {})
        if table and self.random.random() < 0.3:
            table.pop(self.random.choice(sorted(table)))
        elif keys:
            key = self.random.choice(sorted(keys))
            table[key] = self.value(keys[key])


def write_rows(folder: Path) -> None:
    """Write the files that the spec names."""
    (folder / "train.jsonl").write_text(ROWS)
    pairs = "".join(f"q{number};yes {number};no {number}\n" for number in range(12))
    (folder / "pairs.csv").write_text(f"asked;good one;bad one\n{pairs}")
    marks = ({"asked": f"q{n}", "said": f"a{n}", "good": n % 2 == 0} for n in range(12))
    (folder / "marks.jsonl").write_text("".join(json.dumps(row) + "\n" for row in marks))


def check(folder: Path, spec: dict[str, Any]) -> Report:
    """Check a spec as `trainspec check` does."""
    report = Report()
    source = SourceFile(folder / "task.toml", "task.toml", as_text(spec))
    try:
        check_document(parse(source, report), report, source)
    except Stop:
        assert report.has_errors
    return report


@pytest.mark.parametrize("seed", range(4))
def test_odd_values_of_any_key_end_in_findings_inside_the_file(tmp_path: Path, seed: int) -> None:
    write_rows(tmp_path)
    assert not check(tmp_path, SPEC).has_errors
    odd = Odd(seed)
    outcomes: list[bool] = []
    for _ in range(60):
        spec = copy.deepcopy(SPEC)
        for _ in range(odd.random.choice((1, 1, 2, 3))):
            odd.damage(spec)
        report, size = check(tmp_path, spec), len(as_text(spec))
        spans = [found.place.span for found in report.diagnostics if found.place is not None]
        assert all(0 <= span.start <= span.end <= size for span in spans)
        outcomes.append(report.has_errors)
    assert {True, False} == set(outcomes)  # neither all refused nor none
