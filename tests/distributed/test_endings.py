"""What ends a stage early, and what is asked before it begins, in two processes: both agree."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.life.runs import Driver
from tests.life.test_endings import GATE, STOP, spec_with

pytestmark = pytest.mark.heavy

CLEAN = '[rewards.clean]\nkind = "forbidden"\npatterns = ["never written"]\n'
ADAPT = "adapt = { below = 0.5, above = 0.8, up = 1.5, down = 0.5, min = 0.1, max = 1.2 }\n"


def on_two(stage: str = "", run: str = "", rewards: str = "") -> str:
    spec = spec_with(stage, run).replace('tier = "cpu"', 'tier = "24gb"\ngpus = 2')
    return spec.replace("[stages.reasoning]", f"{rewards}[stages.reasoning]")


def log_of(project: Path, rank: int) -> list[dict[str, Any]]:
    """What a process has logged, but for how long it took."""
    log = json.loads((project / f"state-{rank}.json").read_text())["log"]
    timed = ("step_time", "train_runtime", "train_samples_per_second", "train_steps_per_second")
    return [{name: each[name] for name in each if name not in timed} for each in log]


def test_a_gate_shares_its_rows_out_and_ends_both(tmp_path: Path, runs: Driver) -> None:
    low = GATE.replace("brief", "correct") % 0.2
    project = runs.make(tmp_path / "project", on_two(low))
    refused = runs.run(project, "reasoning", processes=2)
    assert refused.status == 5, refused.said
    assert refused.said.count("of 5 prompts 100.0% are all wrong, 0.0% mixed, 0.0% all right") == 1
    assert refused.said.count("0.0% of the prompts pass, below 20.0%") == 1
    outputs = project / "outputs" / "reasoning"
    rates = [json.loads(line) for line in (outputs / "pass_rates.jsonl").read_text().splitlines()]
    assert [(rate["full"], rate["samples"]) for rate in rates] == [(0, 3)] * 5
    assert len({rate["row_number"] for rate in rates}) == 5
    assert not list(outputs.glob("checkpoint-*"))


def test_until_ends_both_in_the_same_step_and_weights_move_alike(
    tmp_path: Path, runs: Driver
) -> None:
    stage = 'until = { reward = "clean", at_least = -0.1, window = 3 }\n'
    stage += GATE.replace("brief", "clean") % 1.0
    spec = on_two(stage, rewards=f"{CLEAN}weight = 0.1\n")
    project = runs.make(
        tmp_path / "project", spec.replace("weight = 0.5\n", f"weight = 0.5\n{ADAPT}")
    )
    ended = runs.run(project, "reasoning", processes=2)
    assert ended.status == 0, ended.said
    assert ended.said.count("ends at step 6: clean is 0, at least -0.1") == 1
    outputs = project / "outputs" / "reasoning"
    assert json.loads((outputs / "run.json").read_text())["global_step"] == 6
    assert len((outputs / "pass_rates.jsonl").read_text().splitlines()) == 5
    first = log_of(project, 0)
    assert first == log_of(project, 1)
    weights = [each["rewards/brief/weight"] for each in first if "rewards/brief/weight" in each]
    assert len(set(weights)) > 1, weights


def test_stop_when_ends_both_with_6(tmp_path: Path, runs: Driver) -> None:
    project = runs.make(tmp_path / "project", on_two("", STOP % 6))
    stopped = runs.run(project, "reasoning", processes=2)
    assert stopped.status == 6, stopped.said
    assert stopped.said.count("stopped at step 8: correct is 0") == 1
    assert not (project / "outputs" / "reasoning" / "run.json").exists()
