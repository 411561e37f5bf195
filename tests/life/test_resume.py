"""A run that is killed with -9 goes on from its last whole checkpoint, equal to the last bit."""

import json
from pathlib import Path

import pytest
from safetensors.torch import load_file

from tests.life.runs import KILLED, make_project, put_away, run
from tests.projects import SPEC

pytestmark = pytest.mark.heavy

# Three epochs of 12 rows at 2 a step: 18 steps, checkpoints within epochs and at their ends.
STAGES = """
[rewards.brief]
kind = "length"
max_characters = 12
weight = 0.5
[stages.sft]
method = "sft"
epochs = 3
prompts_per_step = 2
learning_rate = 1e-3
[stages.grpo]
method = "grpo"
from = "base"
epochs = 3
prompts_per_step = 2
num_generations = 4
max_completion_length = 8
learning_rate = 1e-3
beta = 0.1
[run]
save_every = 4
keep = 2
"""
METHODS = ("sft", "grpo")
SPEC_OF_ALL = (
    SPEC.partition("[stages.")[0].replace('["warmup", "reasoning"]', json.dumps(METHODS)) + STAGES
)


def weights_of(outputs: Path) -> dict[str, bytes]:
    state = load_file(outputs / "model.safetensors")
    return {name: value.numpy().tobytes() for name, value in state.items()}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("killed") / "project", SPEC_OF_ALL)


@pytest.mark.parametrize("method", METHODS)
def test_a_killed_run_ends_as_if_it_had_not_been(project: Path, method: str) -> None:
    (whole,) = run(project, (method, "", 0))
    assert whole.status == 0, whole.said
    expected = put_away(project, method)
    runs = run(
        project,
        (method, "step", 3),  # before the first checkpoint
        (method, "step", 11),
        (method, "_save_rng_state", 12),  # while a checkpoint is written
        (method, "begin", 14),
        (method, "result", 0),  # while the result is written
        (method, "", 0),
        (method, "", 0),
    )
    said = [run.said for run in runs]
    assert [run.status for run in runs] == [*[KILLED] * 5, 0, 0], said
    assert f"{method}: begins at step 0" in said[0]
    assert f"{method}: begins at step 0" in said[1]
    assert f"{method}: goes on at step 8 of 18" in said[2]
    assert "checkpoint-12: passed over and removed" in said[3]
    assert f"{method}: goes on at step 8 of 18" in said[3]
    assert f"{method}: goes on at step 12 of 18" in said[4]
    assert f"{method}: had trained to its end, step 18" in said[5]
    assert said[5].splitlines()[-1].startswith(f"{method}: trained 18 steps, ")
    assert f"{method}: finished at step 18" in said[6]
    assert weights_of(project / "outputs" / method / "model") == weights_of(expected / "model")
    assert weights_of(expected / "model") != weights_of(project / "tiny-model")
    assert logged_steps(project / "outputs" / method)[:1] == logged_steps(expected)[:1] == [10]


CHANGED = {
    "sft": ("learning_rate = 1e-3\n[stages.grpo]", "learning_rate = 2e-3\n[stages.grpo]"),
    "grpo": ("weight = 0.5", "weight = 0.7"),
}
NAMED = {
    "sft": "  config.learning_rate was 0.001, is 0.002",
    "grpo": '  rewards.brief was "0.5", is "0.7"',
}


@pytest.mark.parametrize("method", METHODS)
def test_field_182_a_run_of_another_recipe_is_refused_by_name(tmp_path: Path, method: str) -> None:
    project = make_project(tmp_path / "project", SPEC_OF_ALL)
    (killed,) = run(project, (method, "step", 5))
    make_project(project, SPEC_OF_ALL.replace(*CHANGED[method]))
    (refused,) = run(project, (method, "", 0))
    assert (killed.status, refused.status) == (KILLED, 1)
    differing = [line for line in refused.said.splitlines() if line.startswith("  ")]
    assert differing == [NAMED[method]]
    assert (project / "outputs" / method / "checkpoint-4").is_dir()
    # Steps, logging, saving and evaluation may differ; a comment in the code is no other code.
    longer = SPEC_OF_ALL.replace("epochs = 3", "steps = 20").replace("= 4\nkeep", "= 5\nkeep")
    make_project(project, longer)
    for name in ("rewards.py", "answers.py", "data.py"):
        (project / name).write_text((project / name).read_text() + "\n# a thought\n")
    (gone_on,) = run(project, (method, "", 0))
    assert gone_on.status == 0, gone_on.said
    assert f"{method}: goes on at step 4 of 20" in gone_on.said


def logged_steps(folder: Path) -> list[int]:
    """The steps of the log, without the summary at the end of training."""
    log = json.loads((folder / "run.json").read_text())["log"]
    return [entry["step"] for entry in log if "loss" in entry]
