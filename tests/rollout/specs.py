"""A spec with a stage that samples, on a machine of one's choice, and what is found in it."""

import tomllib
from pathlib import Path

from compiler.diagnostics import Report
from compiler.parse import parse
from compiler.resolve.inputs import Inputs, gather
from compiler.rules import check_spec
from compiler.source import read_source
from spec_schema import TaskSpec
from tests.projects import ROWS

SPEC = """
spec = 1
[project]
name = "sums"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
adapter = {{ kind = "{adapter}" }}
[hardware]
tier = "{tier}"
{hardware}
[data]
train = {{ path = "train.jsonl" }}
gold = {{ column = "answer" }}
[prompt]
user = "{{question}}"
[answer]
extract = "xml"
tag = "answer"
[rewards]
correct = 1.0
[stages.reasoning]
method = "{method}"
steps = 4
prompts_per_step = 2
{stage}
"""


def sampling_spec(
    rollout: str = "",
    *,
    tier: str = "24gb",
    hardware: str = "",
    adapter: str = "lora",
    method: str = "grpo",
    stage: str = "",
) -> str:
    """The text of the spec; `rollout` is the inside of that table."""
    table = f"rollout = {{ {rollout} }}\n" if rollout else ""
    return SPEC.format(
        tier=tier, hardware=table + hardware, adapter=adapter, method=method, stage=stage
    )


def gathered(folder: Path, text: str) -> Inputs:
    """What is known of the spec."""
    (folder / "train.jsonl").write_text(ROWS)
    return gather(TaskSpec.model_validate(tomllib.loads(text)), folder)


def found_in(folder: Path, text: str) -> list[tuple[str, str, str, str]]:
    """The code, the line it points at, the message and the hints of each finding of the rules."""
    (folder / "task.toml").write_text(text)
    (folder / "train.jsonl").write_text(ROWS)
    report = Report()
    document = parse(read_source(folder / "task.toml", report), report)
    check_spec(TaskSpec.model_validate(tomllib.loads(text)), document, report)
    return [
        (
            found.code,
            text[found.place.span.start : found.place.span.end] if found.place else "",
            found.message,
            " ".join(found.hints),
        )
        for found in report.diagnostics
    ]
