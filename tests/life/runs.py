"""Runs the stages of a project, each in a process that is killed where a test wants it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from tests.projects import write_project

KILLED = -9
DRIVER = Path(__file__).with_name("driver.py")


class Run(NamedTuple):
    """A run of a stage: how its process ended, and what it printed."""

    status: int
    said: str


class Driver:
    """The parent of the runs."""

    def __init__(self, asked: IO[str], told: IO[str]) -> None:
        """Take the two ends of the process."""
        self.asked = asked
        self.told = told

    def run(
        self, project: Path, name: str, place: str = "", step: int = 0, *, processes: int = 1
    ) -> Run:
        """Run a stage; it is killed at a place in a step where one is given.

        The place is an event of a callback such as `on_step_end`, a method of `Trainer` in the
        middle of a checkpoint, or `result`: when that is saved. What the first process printed
        stands before what the others did.
        """
        run = (processes, str(project), name, place, step)
        print(json.dumps(run), file=self.asked, flush=True)
        status = int(self.told.readline())
        logs = [project / f"log-{rank}.txt" for rank in range(processes)]
        return Run(status, "".join(log.read_text() for log in logs))

    def make(self, folder: Path, spec: str, **files: str | bytes) -> Path:
        """Write a project whose base is a tiny model."""
        tiny = spec.replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny-model")
        project = write_project(folder, tiny, **files)
        made = self.run(project, "tiny-model")
        assert made.status == 0, made.said
        return project


@contextmanager
def driver() -> Iterator[Driver]:
    """Start the parent of the runs, and end it."""
    environment = os.environ | {
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "TOKENIZERS_PARALLELISM": "false",
    }
    with subprocess.Popen(
        [sys.executable, str(DRIVER)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asked, told = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
        assert told.readline() == "ready\n"
        yield Driver(asked, told)
        asked.close()


def put_away(project: Path, stage: str) -> Path:
    """Move the outputs of a stage out of its way."""
    place = project / "put-away" / stage
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(exist_ok=True)
    return (project / "outputs" / stage).rename(place)
