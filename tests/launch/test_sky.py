"""sky.yaml as SkyPilot reads it, and what its lines do on a machine."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from compiler.resolve.launchers import ACCELERATORS, accelerators_of
from spec_schema.hardware import Tier
from tests.launch.machines import environment, machine_project, stand_in, train_nothing

SKY = 'tier = "{tier}"\nlauncher = "skypilot"\n[hardware.skypilot]\n'
BUCKET = 'outputs = "s3://acme-runs/sums"\nuse_spot = true\ninfra = "aws/us-east-1"\n'
TWO = 'tier = "80gb"\ngpus = 16\nnodes = 2\n'
MACHINES = f'{TWO}launcher = "skypilot"\n[hardware.skypilot]\noutputs = "runs"\n'
SPECS = {
    "gpu": SKY.format(tier="h100"),
    "cpu": SKY.format(tier="cpu"),
    "class": SKY.format(tier="24gb"),
    "spot": SKY.format(tier="a100-80gb") + BUCKET + "disk_gb = 500\n",
    "machines": MACHINES,
}
# As a text of the user's may be, in the places that take one.
HOSTILE = ["it's: # $(touch owned)", '- "item" {a: [b]}', "größe\u2028 \\ %TAG", " indented"]


def read(project: Path) -> dict[str, Any]:
    return yaml.safe_load((project / "sky.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SPECS)
def test_skypilot_reads_the_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where it keeps its state
    sky = pytest.importorskip("sky", reason="skypilot is not installed")
    project = machine_project(tmp_path / "project", SPECS[name])
    monkeypatch.chdir(project)
    task = sky.Task.from_yaml("sky.yaml")
    resources = list(task.resources)
    asked = {(gpu, count) for each in resources for gpu, count in (each.accelerators or {}).items()}
    expected = {
        "gpu": {("H100", 1)},
        "cpu": set[tuple[str, int]](),
        "class": {(gpu, 1) for gpu in ("RTX3090", "RTX4090", "A10G", "L4")},
        "spot": {("A100-80GB", 1)},
        "machines": {("A100-80GB", 8), ("H100", 8)},
    }
    assert asked == expected[name]
    assert task.num_nodes == (2 if name == "machines" else 1)
    assert all(each.use_spot == (name == "spot") for each in resources)
    assert {each.disk_size for each in resources} == {500 if name == "spot" else 256}
    assert list(task.storage_mounts) == (["/outputs"] if name == "spot" else [])
    assert task.volumes == ({"/outputs": "runs"} if name == "machines" else {})


def test_keys_are_asked_for(tmp_path: Path) -> None:
    tracked = '\n[run]\ntracking = { to = "wandb", project = "sums" }\n'
    project = machine_project(tmp_path / "project", SKY.format(tier="h100"), tracked)
    assert read(project)["secrets"] == {"WANDB_API_KEY": None}
    assert "--secret WANDB_API_KEY sky.yaml" in (project / "sky.yaml").read_text()


@pytest.mark.parametrize("line", HOSTILE)
def test_lines_of_shell_arrive_as_they_are(tmp_path: Path, line: str) -> None:
    table = f"{SKY.format(tier='h100')}setup = [{json.dumps(line)}]"
    project = machine_project(tmp_path / "project", table)
    setup = read(project)["setup"]
    assert setup.startswith(f"set -e\n{line}\nuv venv --python 3.11")


@pytest.mark.parametrize("key", ["infra"])
@pytest.mark.parametrize("text", HOSTILE)
def test_texts_arrive_as_they_are(tmp_path: Path, key: str, text: str) -> None:
    table = f"{SKY.format(tier='h100')}{key} = {json.dumps(text)}"
    assert read(machine_project(tmp_path / "project", table))["resources"][key] == text


def test_every_name_is_one_of_a_tier() -> None:
    tiers = set(get_args(Tier))
    assert all(accelerators_of(tier) for tier in tiers & set(ACCELERATORS))
    assert accelerators_of("rtx-4070") == ()
    assert accelerators_of("48gb") == ("A40", "A6000", "RTXA6000", "L40S")


@pytest.mark.skipif(shutil.which("rsync") is None, reason="rsync is not installed")
def test_a_new_machine_goes_on_from_the_bucket(tmp_path: Path) -> None:
    project = machine_project(tmp_path / "project", SPECS["spot"])
    train_nothing(project)
    bucket = tmp_path / "bucket"
    (bucket / "warmup").mkdir(parents=True)
    (bucket / "warmup" / "kept").write_text("by the machine before")
    (project / "train_warmup.py").write_text("open('outputs/warmup/new', 'w').close()\n")
    (project / "train_reasoning.py").write_text("raise SystemExit(6)\n")
    (project / "outputs" / "model.part").mkdir(parents=True)
    (project / ".venv/bin").mkdir(parents=True)
    (project / ".venv/bin/activate").write_text("")
    (project / "stages.py").write_text("raise SystemExit(1)\n")
    programs = stand_in(tmp_path / "programs")
    run = re.sub(r"(?<= )/outputs/", f"{bucket}/", read(project)["run"])
    done = subprocess.run(
        ["bash", "-c", run],
        cwd=project,
        env=environment(programs),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 6, done.stderr
    assert (project / "outputs" / "warmup" / "kept").exists()
    assert (bucket / "warmup" / "new").exists()
    assert not (bucket / "model.part").exists()
