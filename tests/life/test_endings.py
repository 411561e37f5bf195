"""Gates before a stage, and what ends one early: as the spec says, as written, and as run."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.life.runs import KILLED, Driver
from tests.projects import SPEC, load, write_project

STAGE = """
[rewards.brief]
kind = "length"
max_characters = 12
weight = 0.5
[stages.reasoning]
method = "grpo"
steps = 12
prompts_per_step = 2
num_generations = 4
max_completion_length = 8
MORE
[run]
save_every = 4
log_completions_every = 2
"""
HEAD = SPEC.partition("[stages.")[0].replace('stages = ["warmup", "reasoning"]', "")


def spec_with(stage: str = "", run: str = "") -> str:
    return HEAD + STAGE.replace("MORE", stage) + run


GATE = 'gate = { reward = "brief", pass_at = 3, at_least = %s, rows = 5 }'
UNTIL = 'until = { reward = "brief", at_least = %s, window = 2 }'
STOP = 'stop_when = { reward = "correct", below = 0.5, after = %s }'


def test_a_script_adds_what_its_stage_asks_for(tmp_path: Path) -> None:
    project = write_project(
        tmp_path / "project", spec_with(f"{GATE % 0.5}\n{UNTIL % 0.9}", STOP % 6)
    )
    script = (project / "train_reasoning.py").read_text()
    assert 'MIXES["reasoning"], "brief", full=1.0, pass_at=3, at_least=0.5, rows=5)' in script
    assert 'trainer.add_callback(Until("brief", at_least=0.9, window=2))' in script
    assert 'trainer.add_callback(StopWhen("correct", below=0.5, after=6))' in script
    readme = (project / "README.md").read_text()
    assert "exits 5 and trains nothing" in readme
    assert "exits 6" in readme
    plan = " ".join((project / "PLAN.md").read_text().split())
    assert "`brief` in one of 3 completions for 0.5 of 5 prompts or more; else it exits 5." in plan
    assert "once the mean of `brief` over the last 2 logging windows is 0.9 or more." in plan
    assert "the mean of `correct` over a logging window after step 6 is below 0.5." in plan
    plain = write_project(tmp_path / "plain", spec_with())
    assert "exits" not in (plain / "README.md").read_text().partition("## What healthy")[0]
    assert not {"gate.py", "stopping.py", "sampling.py"} & {path.name for path in plain.iterdir()}


def test_a_checkpoint_falls_on_whole_windows_where_weights_follow_them(tmp_path: Path) -> None:
    adapt = "adapt = { below = 0.5, above = 0.8, up = 1.5, down = 0.5, min = 0.1, max = 1.2 }\n"
    spec = spec_with().replace("weight = 0.5\n", f"weight = 0.5\n{adapt}")
    project = write_project(tmp_path / "project", spec.replace("save_every = 4", "save_every = 5"))
    script = (project / "train_reasoning.py").read_text()
    assert "save_steps=6,  # 5, rounded up to whole logging windows of 2 steps" in script


@pytest.fixture(scope="module")
def stopping(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec = spec_with(UNTIL % 0.9, STOP % 6)
    return load(write_project(tmp_path_factory.mktemp("stopping") / "project", spec), "stopping")


def logged(means: list[float | None], name: str = "brief") -> list[dict[str, Any]]:
    return [{"step": 2 * at, f"rewards/{name}/mean": mean} for at, mean in enumerate(means, 1)]


@pytest.mark.parametrize(
    ("means", "ends"),
    [
        ([0.95, 0.95], True),
        ([0.1, 0.8, 1.0], True),
        ([0.95], False),  # the window is not full
        ([1.0, 0.7], False),
        ([0.95, None, 0.95], True),  # a window that judged nothing is passed over
    ],
)
def test_until_looks_at_the_latest_means(
    stopping: ModuleType,
    means: list[float | None],
    ends: bool,
) -> None:
    log = logged(means)
    control = SimpleNamespace(should_training_stop=False, should_save=False)
    state = SimpleNamespace(log_history=log, global_step=log[-1]["step"])
    until = stopping.Until("brief", at_least=0.9, window=2)
    until.on_log(None, state, control, logs={"train_runtime": 1.0})
    assert not control.should_training_stop
    until.on_log(None, state, control, logs=log[-1])
    assert (control.should_training_stop, control.should_save) == (ends, ends)


@pytest.mark.parametrize(
    ("step", "mean", "ends"),
    [(8, 0.4, True), (8, 0.5, False), (6, 0.0, False), (8, None, False)],
)
def test_stop_when_looks_at_each_window_after_its_step(
    stopping: ModuleType,
    step: int,
    mean: float | None,
    ends: bool,
) -> None:
    stop = stopping.StopWhen("correct", below=0.5, after=6)
    state = SimpleNamespace(global_step=step)
    logs = {"rewards/correct/mean": mean}
    if not ends:
        stop.on_log(None, state, None, logs=logs)
        return
    with pytest.raises(SystemExit) as end:
        stop.on_log(None, state, None, logs=logs)
    assert end.value.code == 6


@pytest.mark.heavy
def test_a_gate_lets_a_stage_begin_or_exits_5(tmp_path: Path, runs: Driver) -> None:
    # What brief pays depends on how a random model writes, so that the gate is asked of `correct`,
    # which nothing earns, and of a reward that everything earns.
    low = GATE.replace("brief", "correct") % 0.2
    project = runs.make(tmp_path / "project", spec_with(low))
    refused = runs.run(project, "reasoning")
    assert refused.status == 5, refused.said
    assert "of 5 prompts 100.0% are all wrong, 0.0% mixed, 0.0% all right" in refused.said
    outputs = project / "outputs" / "reasoning"
    rates = [json.loads(line) for line in (outputs / "pass_rates.jsonl").read_text().splitlines()]
    assert [(rate["full"], rate["samples"]) for rate in rates] == [(0, 3)] * 5
    assert len({rate["row_number"] for rate in rates}) == 5
    assert not list(outputs.glob("checkpoint-*"))

    forbidden = '[rewards.clean]\nkind = "forbidden"\npatterns = ["never written"]\nweight = 0.1\n'
    high = GATE.replace("brief", "clean") % 1.0
    passing = spec_with(high).replace("[stages.reasoning]", f"{forbidden}[stages.reasoning]")
    runs.make(project, passing)
    shutil.rmtree(outputs)
    assert runs.run(project, "reasoning", "on_step_end", 6).status == KILLED
    (outputs / "pass_rates.jsonl").unlink()
    gone_on = runs.run(project, "reasoning")
    assert gone_on.status == 0, gone_on.said
    assert not (outputs / "pass_rates.jsonl").exists()  # asked at a fresh start only


@pytest.mark.heavy
def test_until_ends_a_stage_as_a_success(tmp_path: Path, runs: Driver) -> None:
    forbidden = '[rewards.clean]\nkind = "forbidden"\npatterns = ["never written"]\nweight = 0.1\n'
    spec = spec_with('until = { reward = "clean", at_least = -0.1, window = 3 }')
    spec = spec.replace("[stages.reasoning]", f"{forbidden}[stages.reasoning]")
    project = runs.make(tmp_path / "project", spec)
    outputs = project / "outputs" / "reasoning"
    assert runs.run(project, "reasoning", "on_step_end", 5).status == KILLED
    # The mean of step 2 and 4 is in the log of the checkpoint, that of step 6 comes to it.
    assert runs.run(project, "reasoning", "result").status == KILLED
    assert (outputs / "checkpoint-6").is_dir()
    ended = runs.run(project, "reasoning")
    assert ended.status == 0, ended.said
    assert "reasoning: had trained to its end, step 6" in ended.said
    assert json.loads((outputs / "run.json").read_text())["global_step"] == 6
    again = runs.run(project, "reasoning")
    assert again.status == 0
    assert "reasoning: finished at step 6" in again.said


@pytest.mark.heavy
def test_stop_when_ends_the_chain_with_6(tmp_path: Path, runs: Driver) -> None:
    project = runs.make(tmp_path / "project", spec_with("", STOP % 6))
    stopped = runs.run(project, "reasoning")
    assert stopped.status == 6, stopped.said
    assert "stopped at step 8: correct is 0" in stopped.said
    assert not (project / "outputs" / "reasoning" / "run.json").exists()
    again = runs.run(project, "reasoning")  # it goes on, and ends in the same place
    assert (again.status, "goes on at step" in again.said) == (6, True)


@pytest.mark.heavy
def test_the_smoke_test_is_not_kept_from_training(tmp_path: Path) -> None:
    stage = f"{GATE % 1.0}\n{UNTIL % 0.01}"
    project = write_project(tmp_path / "project", spec_with(stage, STOP % 1))
    command = [sys.executable, "-m", "pytest", "-q", "tests/test_smoke.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    for name in ("Gate", "Until", "StopWhen"):
        assert f"  {name} -> nothing" in done.stdout
