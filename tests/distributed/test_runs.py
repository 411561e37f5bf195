"""Stages that two processes train together, on the CPU: the same run as that of one."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file

from tests.life.runs import KILLED, Driver, put_away
from tests.life.test_resume import ALL, METHODS, PAIR_ROWS

pytestmark = pytest.mark.heavy

# Three epochs of 12 rows at 4 a step: 9 steps, of which each process has a half.
ONE = ALL.replace("prompts_per_step = 2", "prompts_per_step = 4\ntrainer.logging_steps = 2")
TWO = ONE.replace('tier = "cpu"', 'tier = "24gb"\ngpus = 2')
STEPS = 9
GROUPS_OF_EIGHT = """
[stages.grpo]
method = "grpo"
epochs = 1
prompts_per_step = 2
num_generations = 8
max_completion_length = 8
[run]
save_every = 2
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, runs: Driver) -> Path:
    folder = tmp_path_factory.mktemp("two") / "project"
    return runs.make(folder, TWO, pairs__jsonl=PAIR_ROWS)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, runs: Driver) -> Path:
    folder = tmp_path_factory.mktemp("one") / "project"
    return runs.make(folder, ONE, pairs__jsonl=PAIR_ROWS)


def logged(project: Path, stage: str) -> dict[str, Any]:
    """The first line of the training log of a stage."""
    return json.loads((project / "outputs" / stage / "run.json").read_text())["log"][0]


def state(project: Path, rank: int) -> dict[str, Any]:
    """What a process had at the end of training."""
    return json.loads((project / f"state-{rank}.json").read_text())


def weights(folder: Path) -> dict[str, bytes]:
    saved = load_file(folder / "model" / "model.safetensors")
    return {name: value.numpy().tobytes() for name, value in saved.items()}


@pytest.mark.parametrize("method", METHODS)
def test_two_processes_train_the_steps_of_one_and_go_on_when_killed(
    project: Path, alone: Path, runs: Driver, method: str
) -> None:
    """The rows of a step are shared out, and the random numbers of each process come back."""
    assert (project / "PLAN.md").read_text().count(f"3 epochs of 12 rows are {STEPS} steps.") == 6
    whole = runs.run(project, method, processes=2)
    assert whole.status == 0, whole.said
    assert whole.said.count(f"{method}: begins at step 0") == 1
    assert whole.said.count(f"{method}: trained {STEPS} steps") == 1
    first, second = state(project, 0), state(project, 1)
    assert first["weights"] == second["weights"]
    losses = [[each.get("loss") for each in state["log"]] for state in (first, second)]
    assert losses[0] == losses[1]

    single = runs.run(alone, method)
    assert single.status == 0, single.said
    together, by_itself = logged(project, method), logged(alone, method)
    assert together["epoch"] == by_itself["epoch"]
    if method in ("sft", "reward", "dpo"):  # the others sample, or compare rows of a micro-batch
        assert together["loss"] == pytest.approx(by_itself["loss"], rel=1e-3)
        assert together["num_tokens"] == by_itself["num_tokens"]

    expected = put_away(project, method)
    kills = (("on_step_end", 6), ("_save_rng_state", 8), ("result", 0))
    killed = [runs.run(project, method, *kill, processes=2) for kill in kills]
    assert [run.status for run in killed] == [KILLED] * 3, killed
    assert f"{method}: goes on at step 4 of {STEPS}" in killed[1].said
    assert killed[2].said.count("checkpoint-8: passed over and removed") == 1
    ended = runs.run(project, method, processes=2)
    assert ended.status == 0, ended.said
    assert f"{method}: had trained to its end, step {STEPS}" in ended.said
    outputs = project / "outputs" / method
    assert weights(outputs) == weights(expected)
    again = runs.run(project, method, processes=2)
    assert again.status == 0
    assert again.said.count(f"{method}: finished at step {STEPS}") == 1


@pytest.mark.parametrize("gpus", [1, 2])
def test_field_177_a_run_makes_the_steps_and_takes_the_prompts_that_its_plan_says(
    tmp_path: Path, runs: Driver, gpus: int
) -> None:
    rows = "".join(f'{{"question": "{n}+{n}?", "answer": "{2 * n}"}}\n' for n in range(1000))
    spec = TWO.partition("[stages.")[0].replace("gpus = 2", f"gpus = {gpus}")
    spec = spec.replace(json.dumps(METHODS), '["grpo"]') + GROUPS_OF_EIGHT
    project = runs.make(tmp_path / "project", spec, train__jsonl=rows)
    page = (project / "PLAN.md").read_text()
    assert "One optimizer step takes 2 prompts * 8 generations = 16 completions" in page
    assert "1 epoch of 1000 rows are 500 steps." in page
    assert runs.run(project, "grpo", "on_step_end", 3, processes=gpus).status == KILLED
    gone_on = runs.run(project, "grpo", "on_step_end", 4, processes=gpus)
    assert "grpo: goes on at step 2 of 500" in gone_on.said
    checkpoint = project / "outputs" / "grpo" / "checkpoint-2" / "trainer_state.json"
    prompts = 2 * 2
    assert json.loads(checkpoint.read_text())["epoch"] * 1000 == pytest.approx(prompts)


def test_the_random_numbers_of_each_process_belong_to_a_checkpoint(
    project: Path, runs: Driver
) -> None:
    shutil.rmtree(project / "outputs" / "sft", ignore_errors=True)
    assert runs.run(project, "sft", "on_step_end", 8, processes=2).status == KILLED
    assert runs.run(project, "sft", "on_step_begin", 8, processes=2).status == KILLED
    lacking = project / "outputs" / "sft" / "checkpoint-8" / "rng_state_1.pth"
    if lacking.is_file():
        lacking.unlink()
    gone_on = runs.run(project, "sft", processes=2)
    assert gone_on.status == 0, gone_on.said
    assert "sft: goes on at step 4 of 9" in gone_on.said


def test_another_number_of_processes_is_refused(project: Path, alone: Path, runs: Driver) -> None:
    """Their random numbers, and the rows of their micro-batches, are those of another run."""
    started = runs.run(project, "sft", processes=1)
    assert started.status == 1
    assert "train_sft.py is laid out for 2 processes, and 1 started: run it as" in (
        started.said.replace("driver.py", "train_sft.py")
    )
    shutil.rmtree(project / "outputs" / "sft", ignore_errors=True)
    shutil.rmtree(alone / "outputs" / "sft", ignore_errors=True)
    assert runs.run(alone, "sft", "on_step_end", 6).status == KILLED
    shutil.copytree(alone / "outputs" / "sft", project / "outputs" / "sft")
    refused = runs.run(project, "sft", processes=2)
    assert refused.status == 1
    assert refused.said.count("holds a run of another recipe") == 1
    assert "  processes was null, is 2" in refused.said
    assert "Traceback" not in refused.said
    assert (project / "outputs" / "sft" / "checkpoint-4").is_dir()
