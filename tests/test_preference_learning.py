"""Preferences are learnt, from the two examples' specs through their own scripts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler.places import templates_folder

ROOT = templates_folder().parent
EXAMPLES = ROOT / "examples"


def run_in(project: Path, *commands: list[str]) -> str:
    """Run commands in a project, offline, and give what they print."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    said = ""
    for command in commands:
        done = subprocess.run(
            command, cwd=project, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        said += done.stdout
    return said


def logged(project: Path, stage: str, name: str) -> list[float]:
    """The values of one figure in the log of a stage, in their order."""
    run: dict[str, Any] = json.loads((project / "outputs" / stage / "run.json").read_text("utf-8"))
    return [entry[name] for entry in run["log"] if name in entry]


def trained(example: str, folder: Path) -> tuple[Path, str]:
    """Compile an example into a folder, make its rows and its model, and run it."""
    project = folder / example
    spec = str(EXAMPLES / example / "task.toml")
    compile_it = [sys.executable, "-m", "compiler", "compile", spec, "--into", str(project)]
    subprocess.run(compile_it, check=True)
    shutil.copy(EXAMPLES / example / "prepare.py", project)
    said = run_in(project, ["python", "prepare.py"], ["python", "data.py"], ["bash", "run.sh"])
    return project, said


@pytest.mark.slow
def test_a_reward_model_and_dpo_prefer_what_is_better_in_held_out_pairs(tmp_path: Path) -> None:
    project, said = trained("preferences", tmp_path)
    assert "errors: 0, warnings: 0" in said
    assert logged(project, "judge", "eval_accuracy")[-1] > 0.9
    assert logged(project, "judge", "eval_margin")[-1] > 2
    # The policy is its own reference at first, so that every margin is 0.
    first, *_, last = logged(project, "tone", "eval_rewards/margins")
    assert 0 < first < last
    assert last > 0.3
    assert logged(project, "tone", "eval_rewards/accuracies")[-1] > 0.85


@pytest.mark.slow
def test_kto_tells_wanted_answers_from_unwanted_ones(tmp_path: Path) -> None:
    project, said = trained("feedback", tmp_path)
    assert "errors: 0, warnings: 0" in said
    first, *_, last = logged(project, "thumbs", "eval_rewards/margins")
    assert 0 < first < last
    assert last > 0.5
    chosen, rejected = (
        logged(project, "thumbs", f"eval_rewards/{kind}")[-1] for kind in ("chosen", "rejected")
    )
    assert chosen > 0 > rejected
