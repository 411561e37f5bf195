"""`bash run.sh` of a chain: killed in each of its stages, it ends with the same model."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.chains.test_chain import CHAIN, SPEC
from tests.chains.test_methods import ORDER, PAIRS
from tests.chains.training import write_chain

STEPS = 30
EVERY = 5
WAIT = 600  # seconds: far more than a stage takes


def chain_of(folder: Path) -> Path:
    """A project of four methods with LoRA, each stage long enough to be killed."""
    short = SPEC[: SPEC.index("[stages.mark]")]
    start, end = short.index("[stages.reasoning]"), short.index("[rewards.preferred]")
    spec = (short[:start] + short[end:]).replace(json.dumps(ORDER), json.dumps(CHAIN))
    spec = spec.replace("steps = 2\n", f"steps = {STEPS}\n")
    return write_chain(folder, f"{spec}\n[run]\nsave_every = {EVERY}\n", pairs__jsonl=PAIRS)


def start(project: Path) -> "subprocess.Popen[str]":
    """Begin `bash run.sh`, in a session of its own so that a kill takes all of it."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    return subprocess.Popen(
        ["bash", "run.sh"],
        cwd=project,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def kill_in(project: Path, stage: str) -> str:
    """Run until a stage has a checkpoint, and kill all of it at once; what it printed."""
    checkpoint = project / "outputs" / stage / f"checkpoint-{2 * EVERY}" / "trainer_state.json"
    running = start(project)
    end = time.monotonic() + WAIT
    while not checkpoint.is_file() and running.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGKILL)
    said, _ = running.communicate()
    assert checkpoint.is_file(), said
    return said


@pytest.mark.slow
def test_a_chain_that_is_killed_in_each_stage_exports_the_same_model(tmp_path: Path) -> None:
    project = chain_of(tmp_path / "project")
    whole = shutil.copytree(project, tmp_path / "whole")
    done = start(whole)
    said, _ = done.communicate()
    assert done.returncode == 0, said

    for stage in CHAIN:
        kill_in(project, stage)
    last = start(project)
    said, _ = last.communicate()
    assert last.returncode == 0, said
    assert said.count("finished, nothing to do") == len(CHAIN) - 1, said
    assert f"{CHAIN[-1]}: goes on at step" in said, said
    exported = Path("outputs", "export", "model.safetensors")
    assert (project / exported).read_bytes() == (whole / exported).read_bytes()
