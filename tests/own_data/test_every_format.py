"""A chain of stages, each with rows of another format, smoke-tested as their owner would."""

import json
import sys
from pathlib import Path

import pytest

from compiler.smoke import run_smoke
from tests.chains.training import write_chain

HEAD = """
spec = 1
[project]
name = "forms"
stages = ["texts", "talk", "packed", "judge", "prefer", "mark"]
[model]
base = "./tiny-model"
adapter = { kind = "lora", r = 4 }
[hardware]
tier = "cpu"
"""
STAGE = """
[stages.{name}]
method = "{method}"
prompts_per_step = 2
steps = 2
learning_rate = 0.02
{more}
data = {{ train = {{ path = "rows.jsonl" }}, columns = {{ {columns} }} }}
"""
# Pairs without a prompt: it is what both conversations begin with.
PAIR = 'chosen = "better", rejected = "worse"'
MIXED = 'loss_type = ["sigmoid", "bco_pair", "sft"]\nloss_weights = [0.8, 0.2, 1.0]'
STAGES = (
    ("texts", "sft", "packing = true\nmax_length = 64", 'text = "text"'),
    ("talk", "sft", "", 'messages = "turns"'),
    ("packed", "sft", "packing = true", 'prompt = "asked", completion = "good"'),
    ("judge", "reward", "", f'{PAIR}, margin = "apart"'),
    ("prefer", "dpo", MIXED, PAIR),
    ("mark", "kto", "", PAIR),
)


def talk(*contents: str) -> list[dict[str, str]]:
    """Turns of a user and an assistant."""
    roles = ("user", "assistant") * len(contents)
    return [
        {"role": role, "content": content} for role, content in zip(roles, contents, strict=False)
    ]


def row(number: int) -> str:
    """A line with the columns of every format."""
    question = f"{number}+{number}?"
    columns = {
        "text": f"plain words {number} go on and on",
        "turns": talk(f"hi {number}", "hello", "more", f"no {number}"),
        "asked": question,
        "good": f"it is {2 * number}",
        "better": talk(question, str(2 * number)),
        "worse": talk(question, f"I guess {number}"),
        "apart": number % 3,
    }
    return f"{json.dumps(columns)}\n"


@pytest.mark.heavy
def test_a_stage_learns_from_rows_of_every_format(tmp_path: Path) -> None:
    spec = HEAD + "".join(
        STAGE.format(name=name, method=method, more=more, columns=columns)
        for name, method, more, columns in STAGES
    )
    rows = "".join(map(row, range(1, 17)))
    project = write_chain(tmp_path / "project", spec, rows__jsonl=rows)
    result = run_smoke(project, Path(sys.executable), print)
    assert result.passed, result.output
    outcomes = {stage.name: stage.outcome for stage in result.stages}
    assert outcomes == dict.fromkeys([*(name for name, *_ in STAGES), "export"], "passed")
