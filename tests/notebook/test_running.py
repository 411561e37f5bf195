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


@pytest.mark.heavy
@pytest.mark.parametrize(("spec", "replaced"), [(SPEC, {}), (T4, WITHOUT_A_GPU)], ids=["cpu", "t4"])
def test_the_cells_run_in_order_from_nothing_but_the_notebook(
    tmp_path: Path, spec: str, replaced: dict[str, str]
) -> None:
    home = write_project(
        tmp_path / "home", spec, my_rewards__py=MY_REWARDS, held_out__jsonl=HELD_OUT
    )
    away = tmp_path / "away"
    away.mkdir()
    shutil.copy(home / "notebook.ipynb", away)
    # A folder of the base's name stands for the hub.
    tiny_model(home).write_tiny_model(away / BASE, ["0+0?", "<answer>2</answer>", "right or wrong"])

    runner = Path(__file__).parent / "run_cells.py"
    smi = tmp_path / "bin" / "nvidia-smi"
    smi.parent.mkdir()
    smi.write_text("#!/bin/sh\necho Tesla T4, 15360 MiB\n")
    smi.chmod(0o755)
    words = [word for pair in replaced.items() for word in pair]
    done = subprocess.run(
        [sys.executable, str(runner), str(away / "notebook.ipynb"), *words],
        env={**os.environ, "PATH": f"{smi.parent}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    for name in ("warmup", "reasoning"):
        run = json.loads((away / "outputs" / name / "run.json").read_text())
        assert run["global_step"] == 2
    assert (away / "outputs/export/config.json").is_file()
    assert (away / "outputs/evaluation.json").is_file()
    for cell in ("prompt", "score", "talk", "answer-score"):
        said = done.stdout.partition(f"== {cell}\n")[2].partition("\n== ")[0]
        assert said.strip(), f"the cell {cell} shows nothing"
    assert re.search(r"correct: 1.0", done.stdout)
    for path in away.glob("*.py"):
        same = path.read_bytes() == (home / path.name).read_bytes()
        assert same or any(old in (home / path.name).read_text() for old in replaced), path.name
