"""Weights that move, in real runs of a tiny model: through a resume, and on two processes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.projects import SPEC, load, write_project

pytestmark = pytest.mark.heavy

REWARDS = """
[rewards]
correct = 2.0
[rewards.brief]
kind = "length"
max_characters = 20
weight = { from = 0.0, to = 0.5, steps = 6, shape = "linear" }
[rewards.tags]
kind = "xml_tags"
weight = 0.4
adapt = { below = 0.5, above = 0.8, up = 1.5, down = 0.5, min = 0.1, max = 1.2 }
"""
STAGE = """
[stages.reasoning]
method = "grpo"
steps = 8
prompts_per_step = 2
num_generations = 4
max_completion_length = 8
[run]
save_every = 4
log_completions_every = 2
tracking = "tensorboard"
"""
MOVING = (
    SPEC.partition("[rewards]")[0].replace('stages = ["warmup", "reasoning"]', "") + REWARDS + STAGE
).replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny-model")

# Trains, and prints what every later callback was handed, the log, and the last weights.
RUN = """
import json, sys
from pathlib import Path
import train_reasoning
from transformers import TrainerCallback

class Handed(TrainerCallback):
    def __init__(self): self.logs = []
    def on_log(self, args, state, control, logs=None, **kwargs): self.logs.append(dict(logs))

folder, resume, steps = sys.argv[1], sys.argv[2] or None, int(sys.argv[3])
train_reasoning.output_of = lambda stage: folder
trainer = train_reasoning.build_trainer()
handed = Handed()
trainer.add_callback(handed)
if steps:
    class Stop(TrainerCallback):
        def on_step_end(self, args, state, control, **kwargs):
            control.should_training_stop = state.global_step >= steps
    trainer.add_callback(Stop())
trainer.train(resume_from_checkpoint=resume)
told = {"log": trainer.state.log_history, "handed": handed.logs,
        "weights": trainer.reward_weights.tolist()}
Path(folder, f"told-{trainer.accelerator.process_index}.json").write_text(json.dumps(told))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("moving") / "project", MOVING)
    (folder / "run.py").write_text(RUN)
    make = "import tiny_model; tiny_model.write_tiny_model(%r, ['1+1?', '<answer>2</answer>'])"
    run(folder, "-c", make.replace("%r", "__import__('pathlib').Path('tiny-model')"))
    return folder


def run(folder: Path, *arguments: str) -> None:
    environment = os.environ | {
        "PYTHONPATH": f"{folder}:{folder / 'tests'}",
        "OMP_NUM_THREADS": "1",
    }
    environment |= {"HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]


def train(
    folder: Path, name: str, *, resume: str = "", steps: int = 0, processes: int = 1
) -> list[dict[str, Any]]:
    """Train in outputs/<name>, and return what each process told."""
    out = folder / "outputs" / name
    start = ["-m", "torch.distributed.run", f"--nproc_per_node={processes}"]
    run(folder, *(start if processes > 1 else []), "run.py", str(out), resume, str(steps))
    return [json.loads((out / f"told-{rank}.json").read_text()) for rank in range(processes)]


def expected(project: Path, log: list[dict[str, Any]]) -> list[dict[str, float]]:
    """The mean weight of each window, from the raw means before it."""
    schedules = load(project, "schedules")
    mix = load(project, "rewards").MIXES["reasoning"]
    windows: list[dict[str, float]] = []
    for position, entry in enumerate(log):
        first = log[position - 1]["step"] if position else 0
        steps = range(first, entry["step"])
        weights = [schedules.weights_at(mix, step, log[:position]) for step in steps]
        means = [sum(column) / len(steps) for column in zip(*weights, strict=True)]
        windows.append(dict(zip(("correct", "brief", "tags"), means, strict=True)))
    return windows


def windows(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in told["log"] if "reward" in entry]


def test_weights_move_and_are_logged_beside_the_raw_means(project: Path) -> None:
    (told,) = train(project, "whole")
    log = windows(told)
    assert [entry["step"] for entry in log] == [2, 4, 6, 8]
    for entry, weights in zip(log, expected(project, log), strict=True):
        for name, weight in weights.items():
            raw = entry[f"rewards/{name}/mean"]
            assert entry[f"rewards/{name}/weight"] == pytest.approx(weight)
            assert entry[f"rewards/{name}/weighted"] == pytest.approx(weight * raw)
    moved = [entry["rewards/brief/weight"] for entry in log]
    assert moved == pytest.approx([0.5 / 12, 2.5 / 12, 4.5 / 12, 0.5])
    # A random model writes no tags: the reward is under `below` in every window.
    assert [entry["rewards/tags/weight"] for entry in log] == pytest.approx([0.4, 0.6, 0.9, 1.2])
    assert told["weights"] == pytest.approx([2.0, 0.5, 1.2])
    handed = [entry for entry in told["handed"] if "reward" in entry]
    assert [entry["rewards/brief/weighted"] for entry in handed] == [
        entry["rewards/brief/weighted"] for entry in log
    ]


def test_the_tracker_is_handed_the_weights(project: Path) -> None:
    train(project, "tracked", steps=2)
    (folder,) = {path.parent for path in (project / "outputs/tracked").rglob("events.out*")}
    events = EventAccumulator(str(folder))
    events.Reload()
    assert {"train/rewards/tags/weight", "train/rewards/tags/mean"} <= set(events.Tags()["scalars"])
    assert events.Scalars("train/rewards/tags/weight")[0].value == pytest.approx(0.4)


def test_a_resumed_run_goes_on_with_the_weights_that_it_would_have_had(project: Path) -> None:
    train(project, "resumed", steps=4)
    checkpoint = project / "outputs/resumed/checkpoint-4"
    (told,) = train(project, "resumed", resume=str(checkpoint))
    log = windows(told)
    assert [entry["step"] for entry in log] == [2, 4, 6, 8]
    assert [entry["rewards/tags/weight"] for entry in log] == pytest.approx([0.4, 0.6, 0.9, 1.2])
    for entry, weights in zip(log, expected(project, log), strict=True):
        assert {name: entry[f"rewards/{name}/weight"] for name in weights} == pytest.approx(weights)
    assert told["weights"] == pytest.approx([2.0, 0.5, 1.2])


def test_two_processes_have_the_same_weights(project: Path) -> None:
    first, second = train(project, "two", processes=2)
    assert first["weights"] == second["weights"] == pytest.approx([2.0, 0.5, 1.2])
    for one, other in zip(windows(first), windows(second), strict=True):
        for name in ("correct", "brief", "tags"):
            assert one[f"rewards/{name}/weight"] == other[f"rewards/{name}/weight"]
            assert one[f"rewards/{name}/mean"] == other[f"rewards/{name}/mean"]


def test_rescore_reads_what_a_real_run_wrote(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    train(project, "reasoning")
    rescore = load(project, "rescore")
    monkeypatch.setattr(sys, "argv", ["rescore.py"])
    rescore.main()
    said = capsys.readouterr().out
    assert said.startswith("reasoning: 32 completions, 8 groups, steps 2-8\n")
    lines = {line.split()[0]: line.split()[1:] for line in said.splitlines()[2:5]}
    # The rewards are those of the run, so that each mean is what was logged.
    assert all(cells[1] == cells[2] for cells in lines.values())
    assert lines["tags"][0] == "1.2"
    flat = next(line for line in said.splitlines() if line.startswith("groups without spread"))
    then, now = (int(word) for word in flat.replace(",", "").split() if word.isdigit())
    assert then == now
    assert "groups in another order: 0, 0 of 48 pairs" in said


def test_a_stage_with_a_mix_that_stays_is_typed_beside_one_that_moves(tmp_path: Path) -> None:
    stage = STAGE.partition("[run]")[0].replace("reasoning", "polish").replace("steps = 8", "")
    mix = "rewards = { correct = 1.0, brief = 0.5 }\n"
    spec = MOVING.replace("[run]", stage.replace("prompts", f"{mix}prompts") + "[run]")
    spec = spec.replace("[project]", '[project]\nstages = ["reasoning", "polish"]')
    project = write_project(tmp_path / "project", spec)
    assert "RewardWeights" not in (project / "train_polish.py").read_text()
    schedules, rewards = load(project, "schedules"), load(project, "rewards")
    assert schedules.weights_at(rewards.MIXES["polish"], step=0, log=[]) == [1.0, 0.5]
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, "train_reasoning.py", "train_polish.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
