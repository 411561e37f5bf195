"""Real pairs, of solutions that models wrote of grade-school maths, go through both stages."""

import importlib.util
import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from compiler.places import templates_folder
from tests.projects import load, write_project

ROOT = templates_folder().parent
PAIRS = ROOT.parent / "shared" / "data" / "gsm8k" / "preferences.jsonl"
SPEC = """
spec = 1
[project]
name = "solutions"
stages = ["judge", "prefer"]
[model]
base = "./tiny-model"
[hardware]
tier = "cpu"
[stages.judge]
method = "reward"
steps = 12
prompts_per_step = 16
learning_rate = 1e-3
max_length = 512
trainer = { logging_steps = 1 }
[stages.judge.data]
train = { path = "preferences.jsonl" }
columns = { prompt = "prompt", chosen = "chosen", rejected = "rejected" }
[stages.prefer]
method = "dpo"
steps = 12
prompts_per_step = 16
learning_rate = 1e-3
max_length = 512
trainer = { logging_steps = 1 }
[stages.prefer.data]
train = { path = "preferences.jsonl" }
columns = { prompt = "prompt", chosen = "chosen", rejected = "rejected" }
"""


def prepare() -> ModuleType:
    """The script of an example, which makes a tokenizer and a tiny model."""
    path = ROOT / "examples" / "preferences" / "prepare.py"
    spec = importlib.util.spec_from_file_location("prepare", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trained(project: Path, stage: str) -> list[dict[str, Any]]:
    """The log of a stage that ran by its own script."""
    script = load(project, f"train_{stage}")
    trainer = script.build_trainer()
    trainer.train()
    return [entry for entry in trainer.state.log_history if "loss" in entry]


@pytest.mark.heavy
def test_real_pairs_train_a_reward_model_and_a_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not PAIRS.exists():
        pytest.skip(f"{PAIRS} is not there")
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    maker = prepare()
    tokenizer = maker.make_tokenizer(rows)
    for part in (tokenizer, maker.make_model(tokenizer)):
        part.save_pretrained(tmp_path / "project" / "tiny-model")
    project = write_project(tmp_path / "project", SPEC, preferences__jsonl=PAIRS.read_bytes())

    # The right and the wrong solution are of one kind: nothing but their content parts them.
    report = load(project, "stage_report").report(tokenizer)
    assert [finding for finding in report if finding.startswith("error")] == []
    assert [finding for finding in report if "need be learnt" in finding] == []
    assert len(load(project, "data").load_prefer_train()) == len(rows)

    judged = trained(project, "judge")
    assert len(judged) == 12
    assert all(math.isfinite(entry["loss"]) for entry in judged)
    preferred = trained(project, "prefer")
    # At first the policy is its own reference.
    assert preferred[0]["loss"] == pytest.approx(math.log(2), abs=1e-4)
    assert preferred[0]["rewards/margins"] == pytest.approx(0, abs=1e-4)
    assert all(math.isfinite(entry["loss"]) for entry in preferred)
    assert max(abs(entry["rewards/margins"]) for entry in preferred[1:]) > 0.01
    capsys.readouterr()
