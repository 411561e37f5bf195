"""Runs the training scripts of a project in processes that are killed on the way.

One process imports what takes seconds and forks a child for each run, so that
a kill is a real one and costs little.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.projects import write_project

DRIVER = """
import importlib, json, os, signal, sys
from pathlib import Path
import torch, trl, transformers, peft
from transformers import Trainer, TrainerCallback
import resume

class Kill(TrainerCallback):
    def __init__(self, place, step): self.place, self.step = place, step
    def now(self, place, state):
        if place == self.place and state.global_step == self.step:
            os.kill(os.getpid(), signal.SIGKILL)
    def on_step_begin(self, args, state, control, **kwargs): self.now("begin", state)
    def on_step_end(self, args, state, control, **kwargs): self.now("step", state)
    def on_save(self, args, state, control, **kwargs): self.now("saved", state)

def arm(script, place, step):
    build = script.build_trainer
    def armed():
        trainer = build()
        trainer.add_callback(Kill(place, step))
        for name in ("_save_optimizer_and_scheduler", "_save_rng_state"):
            method = getattr(trainer, name)
            def dying(*args, _name=name, _method=method):
                if place == _name and trainer.state.global_step == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return _method(*args)
            setattr(trainer, name, dying)
        return trainer
    script.build_trainer = armed
    if place == "result":
        def save(trainer, *rest):
            Path(trainer.args.output_dir, "model.part").mkdir(exist_ok=True)
            os.kill(os.getpid(), signal.SIGKILL)
        script.save_result = save

statuses = []
for number, (stage, place, step) in enumerate(json.loads(sys.argv[1])):
    child = os.fork()
    if child == 0:
        log = os.open(f"log-{number}.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        code = 70
        try:
            script = importlib.import_module(f"train_{stage}")
            arm(script, place, step)
            script.main()
            code = 0
        except SystemExit as end:
            if not isinstance(end.code, int | None):
                print(end.code, file=sys.stderr)
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            import traceback
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    statuses.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
Path("statuses.json").write_text(json.dumps(statuses))
"""
KILLED = -9
MAKE_BASE = (
    "import tiny_model, pathlib; "
    "tiny_model.write_tiny_model(pathlib.Path('tiny-model'), ['1+1?', '<answer>2</answer>'])"
)


class Run(NamedTuple):
    """A run of a stage: how its process ended, and what it printed."""

    status: int
    said: str


def make_project(folder: Path, spec: str, **files: str | bytes) -> Path:
    """Write a project whose base is a tiny model."""
    project = write_project(
        folder, spec.replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny-model"), **files
    )
    (project / "driver.py").write_text(DRIVER)
    python(project, "-c", MAKE_BASE)
    return project


def run(project: Path, *runs: tuple[str, str, int]) -> list[Run]:
    """Run stages one after the other, each as (stage, where it is killed, at which step).

    The place is `begin` or `step` (the begin or end of a step), `saved` (a checkpoint is whole), a
    method of `Trainer` in the middle of a checkpoint, `result`, or empty.
    """
    python(project, "driver.py", json.dumps(runs))
    statuses = json.loads((project / "statuses.json").read_text())
    said = [(project / f"log-{number}.txt").read_text() for number in range(len(runs))]
    return [Run(*pair) for pair in zip(statuses, said, strict=True)]


def put_away(project: Path, stage: str) -> Path:
    """Move the outputs of a stage out of its way."""
    place = project / "put-away" / stage
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(exist_ok=True)
    return (project / "outputs" / stage).rename(place)


def python(project: Path, *arguments: str) -> None:
    environment = os.environ | {
        "PYTHONPATH": f"{project}:{project / 'tests'}",
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
    }
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
