"""A project's spec and rows, and the command line as a person types it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SPEC", "Done", "Run", "command", "files_of", "write_task"]

SPEC = """\
spec = 1

[project]
name = "sums"
stages = ["warmup", "reasoning"]

[model]
base = "./tiny-model"

[hardware]
tier = "cpu"

[data]
train = { path = "train.jsonl" }
eval = { holdout = 0.25 }
gold = { column = "answer" }

[prompt]
user = "{question}"
assistant = "<answer>{gold}</answer>"

[answer]
extract = "xml"
tag = "answer"
compare = "number"

[rewards]
correct = 2.0
xml_tags = 0.5

[stages.warmup]
method = "sft"
epochs = 1

[stages.reasoning]
method = "grpo"
steps = 20
"""


@dataclass(frozen=True, slots=True)
class Done:
    """What a command ended with, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


def write_task(folder: Path, spec: str = SPEC) -> Path:
    """Write a spec with its rows into a new folder."""
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text(spec)
    rows = [{"question": f"{i} + {i}", "answer": str(2 * i)} for i in range(200)]
    (folder / "train.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """The bytes of each file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def command(
    *arguments: str, cwd: Path, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own."""
    root = str(Path(__file__).parent.parent)
    return subprocess.run(
        [sys.executable, "-m", "compiler", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": root, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
