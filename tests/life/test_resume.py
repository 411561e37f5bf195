"""A run that is killed with -9 goes on from its last whole checkpoint, equal to the last bit."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file

from tests.life.runs import KILLED, Driver, put_away
from tests.projects import SPEC

pytestmark = pytest.mark.heavy

# Three epochs of 12 rows at 2 a step: 18 steps, with checkpoints within epochs and at their ends.
EVERY = """
from = "base"
epochs = 3
prompts_per_step = 2
learning_rate = 1e-3
"""
SAMPLED = """
num_generations = 4
max_completion_length = 8
beta = 0.1
"""
PAIRS = 'columns = { prompt = "question", chosen = "good", rejected = "bad" }'
MARKED = 'columns = { prompt = "question", completion = "good", label = "liked" }'
OF_METHOD = {
    "sft": "",
    "grpo": SAMPLED,
    "rloo": SAMPLED,
    "dpo": f"[stages.dpo.data]\ntrain = {{ path = 'pairs.jsonl' }}\n{PAIRS}\n",
    "reward": f"[stages.reward.data]\ntrain = {{ path = 'pairs.jsonl' }}\n{PAIRS}\n",
    "kto": f"[stages.kto.data]\ntrain = {{ path = 'pairs.jsonl' }}\n{MARKED}\n",
}
METHODS = tuple(OF_METHOD)
BRIEF = """
[rewards.brief]
kind = "length"
max_characters = 12
weight = 0.5
"""
ALL = (
    SPEC.partition("[stages.")[0].replace('["warmup", "reasoning"]', json.dumps(METHODS))
    + BRIEF
    + "".join(
        f'[stages.{name}]\nmethod = "{name}"{EVERY}{more}' for name, more in OF_METHOD.items()
    )
    + "[run]\nsave_every = 4\nkeep = 2\n"
)
PAIR_ROWS = "".join(
    json.dumps(
        {
            "question": f"{number}+{number}?",
            "good": f"<answer>{2 * number}</answer>",
            "bad": f"{number}",
            "liked": number % 2 == 0,
        }
    )
    + "\n"
    for number in range(12)
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, runs: Driver) -> Path:
    folder = tmp_path_factory.mktemp("killed") / "project"
    return runs.make(folder, ALL, pairs__jsonl=PAIR_ROWS)


@pytest.mark.parametrize("method", METHODS)
def test_field_113_a_killed_run_ends_as_if_it_had_not_been(
    project: Path, runs: Driver, method: str
) -> None:
    whole = runs.run(project, method)
    assert whole.status == 0, whole.said
    expected = put_away(project, method)
    kills = (
        ("on_step_end", 3),  # before the first checkpoint
        ("on_step_end", 11),
        ("_save_rng_state", 12),  # while a checkpoint is written
        ("on_step_begin", 14),
        ("result", 0),  # while the result is written
    )
    killed = [runs.run(project, method, *kill) for kill in kills]
    assert [run.status for run in killed] == [KILLED] * 5, killed
    at = ("begins at step 0", "begins at step 0", "goes on at step 8 of 18")
    for run, said in zip(killed, (*at, at[-1], "goes on at step 12 of 18"), strict=True):
        assert f"{method}: {said}" in run.said
    assert "checkpoint-12: passed over and removed" in killed[3].said
    ended = runs.run(project, method)
    assert ended.status == 0, ended.said
    assert f"{method}: had trained to its end, step 18" in ended.said
    assert ended.said.splitlines()[-1].startswith(f"{method}: trained 18 steps, ")
    outputs = project / "outputs" / method
    assert weights_of(outputs) == weights_of(expected)
    assert weights_of(expected) != weights_of(project)
    assert logged_steps(outputs)[:1] == logged_steps(expected)[:1] == [10]
    again = runs.run(project, method)
    assert (again.status, f"{method}: finished at step 18" in again.said) == (0, True)
    assert has_finished(project, method)


def has_finished(project: Path, stage: str) -> bool:
    """What run.sh asks before it starts a stage."""
    command = [sys.executable, "stages.py", stage]
    return subprocess.run(command, cwd=project, capture_output=True, check=False).returncode == 0


ADAPTED = ALL.replace("[hardware]", 'adapter = { kind = "lora", r = 4, alpha = 8 }\n[hardware]')


@pytest.mark.parametrize("method", ["sft", "grpo"])
def test_field_114_and_180_an_adapter_goes_on_from_its_checkpoint(
    tmp_path: Path, runs: Driver, method: str
) -> None:
    project = runs.make(tmp_path / "project", ADAPTED, pairs__jsonl=PAIR_ROWS)
    assert runs.run(project, method).status == 0
    expected = put_away(project, method)
    assert runs.run(project, method, "on_step_end", 11).status == KILLED
    outputs = project / "outputs" / method
    assert not (outputs / "checkpoint-8" / "model.safetensors").exists()
    gone_on = runs.run(project, method)
    assert gone_on.status == 0, gone_on.said
    assert f"{method}: goes on at step 8 of 18" in gone_on.said
    name = "adapter/adapter_model.safetensors"
    assert (outputs / name).read_bytes() == (expected / name).read_bytes()
    assert weights_of(outputs) == weights_of(expected)
    assert weights_of(outputs) != weights_of(project)

    # A checkpoint whose run is not known is another stage's for all that can be said.
    (outputs / "checkpoint-16").rename(project / "outputs" / "checkpoint-16")
    shutil.rmtree(outputs)
    outputs.mkdir()
    (project / "outputs" / "checkpoint-16").rename(outputs / "checkpoint-16")
    refused = runs.run(project, method)
    assert refused.status == 1, refused.said
    assert "holds checkpoints of an unknown recipe" in refused.said


def test_a_stage_is_finished_as_long_as_what_it_was_made_from_is_there(
    tmp_path: Path, runs: Driver
) -> None:
    spec = (
        ALL.partition("[stages.grpo]")[0]
        .replace(json.dumps(METHODS), '["first", "sft"]')
        .replace("[stages.sft]", "[stages.first]\nmethod = 'sft'\nsteps = 2\n[stages.sft]")
        .replace('from = "base"\nepochs = 3', 'from = "first"\nsteps = 2')
    )
    project = runs.make(tmp_path / "project", spec)
    assert not has_finished(project, "first")
    assert [runs.run(project, name).status for name in ("first", "sft")] == [0, 0]
    assert has_finished(project, "first")
    assert has_finished(project, "sft")
    script = project / "train_first.py"
    script.write_text(script.read_text().replace("max_steps=2", "max_steps=3"))
    assert not has_finished(project, "first")
    assert has_finished(project, "sft")
    gone_on = runs.run(project, "first")
    assert "first: goes on at step 2 of 3" in gone_on.said
    assert has_finished(project, "first")
    assert not has_finished(project, "sft")
    refused = runs.run(project, "sft")
    assert refused.status == 1, refused.said
    assert "  start.steps was 2, is 3" in refused.said


def weights_of(folder: Path) -> dict[str, bytes]:
    """The weights of a stage's result, or of the project's base, as bytes."""
    name = "model" if (folder / "model").is_dir() else "tiny-model"
    state = load_file(folder / name / "model.safetensors")
    return {name: value.numpy().tobytes() for name, value in state.items()}


def logged_steps(folder: Path) -> list[int]:
    """The steps of the log, without the summary at the end of training."""
    log: list[dict[str, Any]] = json.loads((folder / "run.json").read_text())["log"]
    return [entry["step"] for entry in log if "loss" in entry]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_run_may_be_killed_at_any_step(project: Path, runs: Driver, method: str) -> None:
    shutil.rmtree(project / "outputs" / method, ignore_errors=True)
    assert runs.run(project, method).status == 0
    expected = weights_of(put_away(project, method))
    for step in range(1, 19):
        for place in ("on_step_begin", "on_step_end", "_save_optimizer_and_scheduler", "on_save"):
            runs.run(project, method, place, step)
        assert runs.run(project, method).status == 0
        assert weights_of(put_away(project, method)) == expected, step


CHANGED = {
    "sft": (
        "learning_rate = 1e-3\n[stages.grpo]",
        "learning_rate = 2e-3\n[stages.grpo]",
        "  config.learning_rate was 0.001, is 0.002",
    ),
    "grpo": ("weight = 0.5", "weight = 0.7", '  rewards.brief was "0.5", is "0.7"'),
    "rloo": ("max_characters = 12", "max_characters = 9", "  code.rewards.py is another"),
    "dpo": ("pairs.jsonl' }", "pairs.jsonl', rows = 9 }", "  rows is another"),
}


@pytest.mark.parametrize("method", CHANGED)
def test_field_182_a_run_of_another_recipe_is_refused_by_name(
    tmp_path: Path, runs: Driver, method: str
) -> None:
    was, new, named = CHANGED[method]
    project = runs.make(tmp_path / "project", ALL, pairs__jsonl=PAIR_ROWS)
    assert runs.run(project, method, "on_step_end", 5).status == KILLED
    assert was in ALL
    runs.make(project, ALL.replace(was, new), pairs__jsonl=PAIR_ROWS)
    refused = runs.run(project, method)
    assert refused.status == 1, refused.said
    assert [line for line in refused.said.splitlines() if line.startswith("  ")] == [named]
    assert (project / "outputs" / method / "checkpoint-4").is_dir()
    # Steps, logging, saving and evaluation may differ; a comment in the code is no other code.
    longer = ALL.replace("epochs = 3", "steps = 20").replace("save_every = 4", "save_every = 5")
    runs.make(project, longer, pairs__jsonl=PAIR_ROWS)
    for name in ("rewards.py", "answers.py", "data.py"):
        (project / name).write_text((project / name).read_text() + "\n# a thought\n")
    gone_on = runs.run(project, method)
    assert gone_on.status == 0, gone_on.said
    assert f"{method}: goes on at step 4 of 20" in gone_on.said
