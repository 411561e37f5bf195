"""Cases from the field: trainers and settings that TRL dropped, renamed or split."""

import re
import tomllib
from pathlib import Path

import pytest

from compiler.stack import load_stack
from tests.command_line import SPEC, command
from tests.projects import SPEC as SUMS
from tests.projects import write_project


def checked(folder: Path, spec: str) -> str:
    (folder / "task.toml").write_text(spec)
    (folder / "train.jsonl").write_text('{"question": "1+1?", "answer": "2"}\n' * 40)
    done = command("check", "--format", "full", cwd=folder)
    assert done.returncode == 1, done.stdout
    return done.stdout


@pytest.mark.parametrize("method", ["ppo", "PPO"])
def test_field_120_ppo_is_refused_with_what_became_of_it(method: str, tmp_path: Path) -> None:
    said = checked(tmp_path, re.sub('method = "grpo"', f'method = "{method}"', SPEC))
    assert "TRL has dropped it; take `grpo` or `rloo`, which need no value model" in said


def test_field_122_a_project_asks_for_no_release_that_its_table_is_not_of(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    wanted = tomllib.loads((project / "pyproject.toml").read_text())["project"]["dependencies"]
    tested = load_stack().packages["trl"].tested.rsplit(".", 1)[0]
    major, minor = map(int, tested.split("."))
    assert f"trl>={tested},<{major}.{minor + 1}" in [each.replace(" ", "") for each in wanted]


def test_field_123_both_spellings_of_a_rollouts_size_are_refused(tmp_path: Path) -> None:
    both = "trainer = { generation_batch_size = 64, steps_per_generation = 4 }\n"
    spec = re.sub('(method = "grpo"\n)', rf"\1{both}", SPEC)
    said = checked(tmp_path, spec)
    for name in ("generation_batch_size", "steps_per_generation"):
        assert f"`{name}` cannot be set in `trainer`" in said
    assert "write `updates_per_rollout` in the stage" in said


@pytest.mark.parametrize("updates", [1, 2])
def test_field_123_a_script_has_at_most_one_of_the_two(updates: int, tmp_path: Path) -> None:
    spec = SUMS + f"updates_per_rollout = {updates}\n"
    script = (write_project(tmp_path / "project", spec) / "train_reasoning.py").read_text()
    assert "generation_batch_size" not in script
    assert script.count("steps_per_generation") == updates - 1
