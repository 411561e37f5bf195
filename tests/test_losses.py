"""Losses in a project: what a spec writes, what its paper fills in, and updates from a rollout."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.stack.losses import read_losses, read_recipes
from spec_schema.stages import STAGES
from tests.projects import SPEC, load, write_project

MANY_ROWS = "".join(
    f'{{"question": "{number}+{number}?", "answer": "{2 * number}"}}\n' for number in range(40)
)


PREFERENCES = """
spec = 1
[project]
name = "tone"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[stages.tone]
method = "METHOD"
prompts_per_step = 4
data = { train = { path = "replies.jsonl" }, columns = COLUMNS }
"""
COLUMNS = {
    "sft": '{ prompt = "asked", completion = "good" }',
    "reward": '{ prompt = "asked", chosen = "good", rejected = "bad" }',
    "dpo": '{ prompt = "asked", chosen = "good", rejected = "bad" }',
    "kto": '{ prompt = "asked", completion = "good", label = "liked" }',
}
REPLIES = "".join(
    json.dumps({"asked": f"{n}?", "good": f"{n}!", "bad": f"no {n}", "liked": n % 2 == 0}) + "\n"
    for n in range(16)
)


def script_of_preferences(folder: Path, stage: str, method: str) -> str:
    spec = PREFERENCES.replace("METHOD", method).replace("COLUMNS", COLUMNS[method])
    project = write_project(folder / "project", spec + stage, replies__jsonl=REPLIES)
    return (project / "train_tone.py").read_text()


def with_its_paper(argument: str, script: str) -> bool:
    """Whether an argument has a comment that names a paper, behind it or on the line above."""
    paper, code = r"arXiv \d+\.\d+\)", re.escape(argument)
    return bool(re.search(rf"{paper}\n *{code}|{code}  # .*{paper}", script))


def project_with(folder: Path, stage: str, method: str = "grpo") -> Path:
    spec = SPEC.replace('method = "grpo"', f'method = "{method}"') + stage
    return write_project(folder / "project", spec, train__jsonl=MANY_ROWS)


def as_toml(written: dict[str, object], method: str) -> str:
    """Keys of the stage, and below them the fields that have none."""
    keys = STAGES[method].model_fields
    lines = (
        f"{name if name in keys else f'trainer.{name}'} = {json.dumps(value)}\n"
        for name, value in written.items()
    )
    return "".join(lines)


@pytest.mark.parametrize(
    ("stage", "argument"),
    [
        ('loss_type = "dr_grpo"', 'scale_rewards="none",'),
        ('loss_type = "cispo"', "epsilon_high=5.0,"),
        ('loss_type = "luspo"', 'importance_sampling_level="sequence",'),
    ],
)
def test_what_a_loss_is_nothing_without_is_filled_in_with_its_paper(
    stage: str, argument: str, tmp_path: Path
) -> None:
    script = (project_with(tmp_path, stage) / "train_reasoning.py").read_text()
    assert with_its_paper(argument, script)


@pytest.mark.parametrize(
    ("loss", "argument"),
    [
        ("exo_pair", "label_smoothing=1e-3,"),
        ("robust", "label_smoothing=0.1,"),
        ("sigmoid_norm", "beta=5.0,"),
    ],
)
def test_what_a_loss_of_pairs_is_nothing_without_is_filled_in(
    loss: str, argument: str, tmp_path: Path
) -> None:
    script = script_of_preferences(tmp_path, f'loss_type = ["{loss}", "sft"]\n', "dpo")
    assert with_its_paper(argument, script)


def test_dpo_as_it_is_keeps_trls_beta_and_nothing_else(tmp_path: Path) -> None:
    script = script_of_preferences(tmp_path, "", "dpo")
    assert "beta=0.1," in script
    assert "label_smoothing" not in script
    assert "loss_weights" not in script


def test_what_is_written_stands_above_what_a_paper_says(tmp_path: Path) -> None:
    stage = 'loss_type = "cispo"\nepsilon_high = 8.0\nupdates_per_rollout = 2'
    script = (project_with(tmp_path, stage) / "train_reasoning.py").read_text()
    assert "epsilon_high=8.0," in script
    assert "5.0" not in script


def test_a_loss_keeps_the_settings_of_trl_that_nobody_wrote(tmp_path: Path) -> None:
    script = (project_with(tmp_path, "") / "train_reasoning.py").read_text()
    for name in ("epsilon", "delta", "importance_sampling_level", "mask_truncated_completions"):
        assert f" {name}=" not in script
    assert 'scale_rewards="group",' in script


@pytest.mark.parametrize("method", ["grpo", "rloo"])
def test_every_loss_and_recipe_of_the_table_is_a_stage(method: str, tmp_path: Path) -> None:
    cases = [dict(recipe.writes) for recipe in read_recipes(method)]
    cases += [{"loss_type": loss.name, **loss.wants} for loss in read_losses(method)]
    for number, written in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        project = project_with(folder, as_toml(written, method), method)
        script = (project / "train_reasoning.py").read_text()
        for name in written.keys() - {"updates_per_rollout"}:
            assert f" {name}=" in script


@pytest.mark.parametrize("method", ["sft", "reward", "dpo", "kto"])
def test_every_loss_and_recipe_of_preferences_is_a_stage(method: str, tmp_path: Path) -> None:
    cases = [dict(recipe.writes) for recipe in read_recipes(method)]
    for loss in read_losses(method):
        # DPO's `sft` is a part of a mixture.
        name = ["sigmoid", "sft"] if (method, loss.name) == ("dpo", "sft") else loss.name
        cases.append({"loss_type": name, **loss.wants})
    for number, written in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        script = script_of_preferences(folder, as_toml(written, method), method)
        shown = written.keys() - ({"loss_type"} if written.get("loss_type") == "nll" else set())
        for name in shown:
            assert f" {name}=" in script


@pytest.mark.parametrize("tier", ["cpu", "8gb", "80gb"])
def test_a_loss_that_sorts_pairs_sorts_those_of_a_step_on_every_tier(
    tier: str, tmp_path: Path
) -> None:
    stage = 'loss_type = "aot"\nmax_length = 128\n[model.adapter]\nkind = "lora"\n'
    spec = PREFERENCES.replace("METHOD", "dpo").replace("COLUMNS", COLUMNS["dpo"])
    spec = spec.replace('tier = "cpu"', f'tier = "{tier}"')
    project = write_project(tmp_path / "project", spec + stage, replies__jsonl=REPLIES)
    script = (project / "train_tone.py").read_text()
    assert "per_device_train_batch_size=4," in script
    assert "gradient_accumulation_steps=1," in script


def test_updates_per_rollout_is_one_of_trls_two_spellings(tmp_path: Path) -> None:
    project = project_with(tmp_path, "updates_per_rollout = 4\nsteps = 40\n")
    script = (project / "train_reasoning.py").read_text()
    assert "gradient_accumulation_steps=1," in script
    assert "steps_per_generation=4,  # 4 updates from each rollout of 32 completions" in script
    assert "generation_batch_size" not in script
    page = (project / "PLAN.md").read_text()
    assert "A rollout of 8 prompts is good for 4 steps. 40 steps see 80 prompts, 2 epochs." in page


def test_a_pass_over_the_rows_counts_whole_rollouts(tmp_path: Path) -> None:
    stage = "updates_per_rollout = 3\ntrainer = { num_iterations = 2 }\n"
    page = (project_with(tmp_path, stage) / "PLAN.md").read_text()
    # 40 rows are 6 rollouts of 6 prompts, each trained on twice in 3 steps.
    assert "1 epoch of 40 rows are 36 steps." in page


def test_checkpoints_fall_on_whole_rollouts(tmp_path: Path) -> None:
    stage = "updates_per_rollout = 4\nsteps = 40\n[run]\nsave_every = 10\n"
    project = project_with(tmp_path, stage)
    script = (project / "train_reasoning.py").read_text()
    assert "save_steps=12,  # 10, rounded up to whole rollouts of 4 steps" in script
    assert "save_steps=10," in (project / "train_warmup.py").read_text()


def test_a_rollout_needs_rows_for_all_its_prompts(tmp_path: Path) -> None:
    project = project_with(tmp_path, "updates_per_rollout = 4\nsteps = 40\n")
    data = load(project, "data")
    with pytest.raises(SystemExit, match="7 rows are fewer than the 8 prompts"):
        data.enough_for(8, range(7))
    assert "enough_for(8, " in (project / "train_reasoning.py").read_text()


@pytest.mark.heavy
def test_a_stage_with_several_updates_from_a_rollout_trains(tmp_path: Path) -> None:
    project = project_with(tmp_path, "updates_per_rollout = 4\nepsilon = 0.1\nsteps = 40\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "reasoning or warmup", "tests/test_smoke.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "steps_per_generation 4 -> 2" in done.stdout
    assert "reasoning: trained 8 steps with GRPOConfig" in done.stdout
