"""Held-out preferences: the figures are those of TRL's own trainers, and can be demanded."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.projects import TINY, report_of, run
from tests.projects import write_project

PAIRS = "".join(
    json.dumps({"q": f"{n}+1?", "good": f"it is {n + 1}, I think", "bad": f"{n}"}) + "\n"
    for n in range(12)
)
MARKS = "".join(
    json.dumps({"q": f"{n}+1?", "a": f"it is {n + 1}" if n % 3 else "no", "ok": bool(n % 3)}) + "\n"
    for n in range(12)
)
SPEC = """
spec = 1
[project]
name = "tone"
stages = ["judge", "tone", "thumbs"]
[model]
base = "./tiny-model"
[hardware]
tier = "cpu"
[stages.judge]
method = "reward"
steps = 4
learning_rate = 1e-3
prompts_per_step = 4
[stages.judge.data]
train = { path = "pairs.jsonl" }
eval = { holdout = 4 }
columns = { prompt = "q", chosen = "good", rejected = "bad" }
[stages.tone]
method = "dpo"
steps = 4
learning_rate = 1e-3
prompts_per_step = 4
[stages.tone.data]
train = { path = "pairs.jsonl" }
eval = { holdout = 4 }
columns = { prompt = "q", chosen = "good", rejected = "bad" }
[stages.thumbs]
method = "kto"
steps = 4
learning_rate = 1e-3
prompts_per_step = 4
[stages.thumbs.data]
train = { path = "marks.jsonl" }
eval = { holdout = 4 }
columns = { prompt = "q", completion = "a", label = "ok" }
[run]
eval_every = 4
[eval]
minimum_accuracy = { tone = 0.0, thumbs = 1.0 }
"""
# Trains a stage as its script does, and prints what its trainer then says of the held-out rows.
TRAIN = """
import importlib, json, sys
script = importlib.import_module(f"train_{sys.argv[1]}")
trainers, build = [], script.build_trainer
script.build_trainer = lambda *given: trainers.append(build(*given)) or trainers[0]
script.main()
print("told", json.dumps(trainers[0].evaluate()))
"""


def trained(project: Path, stage: str) -> dict[str, float]:
    """Train a stage; gives what TRL measures on its held-out rows."""
    done = run(project, "-c", TRAIN, stage)
    assert done.returncode == 0, done.stderr
    told = next(line for line in done.stdout.splitlines() if line.startswith("told "))
    return json.loads(told.removeprefix("told "))


@pytest.mark.heavy
def test_figures_of_preference_stages_are_those_that_trl_logs(tmp_path: Path) -> None:
    files = {"pairs__jsonl": PAIRS, "marks__jsonl": MARKS}
    project = write_project(tmp_path / "project", SPEC, **files)
    assert run(project, "-c", TINY, path="tests").returncode == 0
    judge, tone, thumbs = (trained(project, stage) for stage in ("judge", "tone", "thumbs"))
    done = run(project, "evaluate.py")
    found: dict[str, Any] = report_of(project)["preferences"]
    assert [found[stage]["rows"] for stage in ("judge", "tone", "thumbs")] == [4, 4, 4]
    assert found["judge"]["accuracy"]["mean"] == pytest.approx(judge["eval_accuracy"])
    assert found["judge"]["margin"]["mean"] == pytest.approx(judge["eval_margin"], abs=1e-4)
    assert found["tone"]["accuracy"]["mean"] == tone["eval_rewards/accuracies"]
    assert found["tone"]["margin"]["mean"] == pytest.approx(tone["eval_rewards/margins"], abs=1e-4)
    margin = thumbs["eval_rewards/chosen"] - thumbs["eval_rewards/rejected"]
    assert found["thumbs"]["margin"]["mean"] == pytest.approx(margin, abs=1e-4)
    assert found["thumbs"]["accuracy"]["low"] < found["thumbs"]["accuracy"]["mean"]
    short = found["thumbs"]["accuracy"]["mean"] < 1
    assert done.returncode == int(short), done.stderr
    assert ("thumbs: accuracy is" in done.stderr) == short
    part = run(project, "evaluate.py", "--stage", "tone", "--rows", "2")
    assert part.returncode == 0, part.stderr
    assert list(report_of(project, "evaluation-part.json")["preferences"]) == ["tone"]
