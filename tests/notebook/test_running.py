"""A notebook alone in a folder: its cells write the project and take it from rows to a model."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chains.training import CHAIN, MY_REWARDS, tiny_model
from tests.projects import write_project

BASE = "Qwen/Qwen2.5-0.5B-Instruct"
SPEC = (
    CHAIN.replace('"./tiny-model"', f'"{BASE}"')
    .replace('name = "sums"', 'name = "sums"\nnotebook = true')
    .replace("[data]", '[data]\neval = { path = "held_out.jsonl" }')
    .replace("[stages.warmup]", "[eval]\nsamples = 1\n[stages.warmup]")
)
HELD_OUT = "".join(f'{{"question": "{n}*3?", "answer": "{3 * n}"}}\n' for n in range(3))
T4 = SPEC.replace('tier = "cpu"', 'tier = "t4"').replace(
    f'base = "{BASE}"', f'base = "{BASE}"\nadapter = {{ kind = "lora", r = 4 }}'
)
# What the smoke test of a project replaces too.
WITHOUT_A_GPU = {
    "fp16=True,": "fp16=False, bf16=False, use_cpu=True,",
    '"float16"': '"float32"',
    '"cuda"': '"cpu"',
}


PREFERENCES = f"""
spec = 1
[project]
name = "tone"
notebook = true
[model]
base = "{BASE}"
adapter = {{ kind = "lora", r = 4 }}
[hardware]
tier = "cpu"
[stages.tone]
method = "dpo"
steps = 2
prompts_per_step = 2
[stages.tone.data]
train = {{ path = "train.jsonl" }}
eval = {{ holdout = 0.25 }}
columns = {{ prompt = "question", chosen = "answer", rejected = "worse" }}
"""
PAIRS = "".join(
    f'{{"question": "{n}+1?", "answer": "{n + 1}", "worse": "No"}}\n' for n in range(12)
)


@pytest.mark.heavy
@pytest.mark.parametrize(("spec", "replaced"), [(SPEC, {}), (T4, WITHOUT_A_GPU)], ids=["cpu", "t4"])
def test_the_cells_run_in_order_from_nothing_but_the_notebook(
    tmp_path: Path, spec: str, replaced: dict[str, str]
) -> None:
    home = write_project(
        tmp_path / "home", spec, my_rewards__py=MY_REWARDS, held_out__jsonl=HELD_OUT
    )
    away, said = run_notebook(home, replaced)
    for name in ("warmup", "reasoning"):
        run = json.loads((away / "outputs" / name / "run.json").read_text())
        assert run["global_step"] == 2
    assert (away / "outputs/evaluation.json").is_file()
    for cell in ("prompt", "score", "talk", "answer-score"):
        assert said[cell].strip(), f"the cell {cell} shows nothing"
    assert "correct: 1.0" in said["score"]


@pytest.mark.heavy
def test_preferences_are_looked_at_learnt_and_talked_about(tmp_path: Path) -> None:
    home = write_project(tmp_path / "home", PREFERENCES, train__jsonl=PAIRS)
    away, said = run_notebook(home, {})
    run = json.loads((away / "outputs/tone/run.json").read_text())
    assert run["global_step"] == 2
    assert said["prompt"].startswith("[user]\n")
    assert said["talk"].strip()
    assert "score" not in said


def run_notebook(home: Path, replaced: dict[str, str]) -> tuple[Path, dict[str, str]]:
    """Run the cells in a folder that has nothing else; give it, and what each cell has printed."""
    away = home.parent / "away"
    away.mkdir()
    shutil.copy(home / "notebook.ipynb", away)
    # A folder of the base's name stands for the hub.
    tiny_model(home).write_tiny_model(away / BASE, ["0+0?", "<answer>2</answer>", "right or wrong"])
    smi = home.parent / "bin" / "nvidia-smi"
    smi.parent.mkdir()
    smi.write_text("#!/bin/sh\necho Tesla T4, 15360 MiB\n")
    smi.chmod(0o755)
    words = [word for pair in replaced.items() for word in pair]
    runner = Path(__file__).parent / "run_cells.py"
    done = subprocess.run(
        [sys.executable, str(runner), str(away / "notebook.ipynb"), *words],
        env={**os.environ, "PATH": f"{smi.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert (away / "outputs/export/config.json").is_file()
    for path in away.glob("*.py"):
        same = path.read_bytes() == (home / path.name).read_bytes()
        assert same or any(old in (home / path.name).read_text() for old in replaced), path.name
    parts = re.split(r"^== (.*)\n", done.stdout, flags=re.MULTILINE)
    return away, dict(zip(parts[1::2], parts[2::2], strict=True))
