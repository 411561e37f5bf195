"""The arithmetic example really learns, from its spec through its own scripts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "arithmetic"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [42, 43, 44])
def test_grpo_earns_the_format_and_gains_on_held_out_sums(seed: int, tmp_path: Path) -> None:
    project = tmp_path / "project"
    compile_it = [sys.executable, "-m", "compiler", "compile", str(EXAMPLE / "task.toml")]
    subprocess.run(
        [*compile_it, "--into", str(project), "--set", f"project.seed={seed}"], check=True
    )
    shutil.copy(EXAMPLE / "prepare.py", project)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    for command in (["python", "prepare.py"], ["bash", "run.sh"]):
        subprocess.run(command, cwd=project, env=environment, check=True)
    report = json.loads((project / "outputs" / "evaluation.json").read_text(encoding="utf-8"))
    right = {name: one["pass_at"]["1"]["mean"] for name, one in report["models"].items()}
    assert right["base"] < 0.05
    assert report["models"]["reasoning"]["rewards"]["well_formed"]["mean"] > 0.95
    assert right["reasoning"] >= right["warmup"] + 0.15
