"""Projects for several GPUs and machines, and stand-ins for what they need of a cluster."""

import os
import shlex
import sys
from pathlib import Path

from compiler.plan.mechanics import Sharding
from tests.projects import ROWS, SPEC, write_project

__all__ = ["PROCESSES", "environment", "machine_project", "stand_in", "train_nothing"]

# In the place of a training script: what it leaves behind, once all its processes have met.
PROCESSES = """
import json, os, sys
import torch
from torch import distributed
from stages import OUTPUTS, origin, source_digests

stage = sys.argv[0].removeprefix("train_").removesuffix(".py")
distributed.init_process_group("gloo")
met = torch.ones(1)
distributed.all_reduce(met)
if distributed.get_rank() == 0:
    folder = OUTPUTS / stage
    (folder / "model").mkdir(parents=True, exist_ok=True)
    (folder / "model" / "config.json").write_text("{}")
    run = {"sources": source_digests(stage), "start": "base", "origin": origin("base")}
    (folder / "run.json").write_text(json.dumps(run | {"processes": int(met)}))
distributed.barrier()
"""


def machine_project(
    folder: Path,
    hardware: str,
    more: str = "",
    *,
    sharding: Sharding | None = None,
) -> Path:
    """Write a project of two stages for this `[hardware]`, with a sharding of our own choice."""
    if sharding is not None:
        hardware = f'sharding = "{sharding}"\n{hardware}'
    spec = SPEC.replace('tier = "cpu"', hardware).replace("_per_step = 2", "_per_step = 16") + more
    return write_project(folder, spec, train__jsonl=ROWS * 8)


def train_nothing(project: Path, script: str = PROCESSES) -> None:
    """Put a script in the place of all training scripts, and take out what else takes time."""
    for path in project.glob("train_*.py"):
        path.write_text(script)
    for name in ("versions.py", "data.py", "export.py", "evaluate.py"):
        (project / name).write_text("")


def stand_in(folder: Path, **programs: str) -> Path:
    """A folder for PATH with these programs as shell scripts, and the Python of the tests."""
    folder.mkdir()
    programs["python"] = f'exec {shlex.quote(sys.executable)} "$@"'
    programs["accelerate"] = (
        f'exec {shlex.quote(sys.executable)} -m accelerate.commands.accelerate_cli "$@"'
    )
    for name, body in programs.items():
        path = folder / name
        path.write_text(f"#!/usr/bin/env bash\n{body}\n")
        path.chmod(0o755)
    return folder


def environment(programs: Path, **more: str) -> dict[str, str]:
    """The environment of a command that finds these programs first."""
    return os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "OMP_NUM_THREADS": "1",
        "CUDA_VISIBLE_DEVICES": "",
        **more,
    }
