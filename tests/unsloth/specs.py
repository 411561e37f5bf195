"""Specs that train with Unsloth, and the same ones with TRL alone."""

import json
from pathlib import Path

from tests.projects import write_project

__all__ = ["METHODS", "PAIRS", "project", "spec_of"]

METHODS = ("sft", "dpo", "kto", "grpo", "rloo")

SPEC = """
spec = 1
[project]
name = "sums"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
{adapter}
[hardware]
tier = "{tier}"
backend = "{backend}"
{rollout}
[data]
train = {{ path = "train.jsonl" }}
gold = {{ column = "answer" }}
[prompt]
system = "You add."
user = "{{question}}"
assistant = "<answer>{{answer}}</answer>"
[answer]
extract = "xml"
tag = "answer"
[rewards]
correct = 1.0
xml_tags = 0.5
[stages.only]
method = "{method}"
prompts_per_step = 4
{stage}
"""
ENGINES = {
    "transformers": 'engine = "transformers"',
    "vllm-colocate": 'engine = "vllm-colocate", share = 0.4',
}
STAGES = {
    "sft": "",
    "dpo": """data = { train = { path = "pairs.jsonl" }, columns = { question = "question",
chosen = "good", rejected = "bad" } }""".replace("\n", " "),
    "kto": """data = { train = { path = "pairs.jsonl" }, columns = { question = "question",
completion = "good", label = "fine" } }""".replace("\n", " "),
    "grpo": "steps = 20\nnum_generations = 4",
    "rloo": "steps = 20\nnum_generations = 4\nbeta = 0.0",
}
PAIRS = "".join(
    json.dumps(
        {
            "question": f"{number}+{number}?",
            "good": f"<answer>{2 * number}</answer>",
            "bad": f"<answer>{2 * number + 1}</answer>",
            "fine": number % 2 == 0,
        }
    )
    + "\n"
    for number in range(16)
)


def spec_of(
    method: str,
    *,
    backend: str = "unsloth",
    adapter: str = "lora",
    tier: str = "24gb",
    stage: str = "",
    engine: str = "",
) -> str:
    """A spec of one stage; `adapter` is its kind, or empty for all weights."""
    table = f'adapter = {{ kind = "{adapter}", r = 16, alpha = 32 }}' if adapter else ""
    return SPEC.format(
        adapter=table,
        tier=tier,
        backend=backend,
        method=method,
        rollout=f"rollout = {{ {ENGINES[engine]} }}" if engine else "",
        stage="\n".join((STAGES[method], stage)),
    )


def project(folder: Path, spec: str) -> Path:
    """The project of a spec, with the rows that any of these stages reads."""
    return write_project(folder, spec, pairs__jsonl=PAIRS)
