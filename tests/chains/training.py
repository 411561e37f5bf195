"""Projects whose stages are really trained, on a tiny model of a folder."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.projects import SPEC, load, write_project

# One optimizer step changes what the model says by far more than rounding.
CHAIN = SPEC.replace('"Qwen/Qwen2.5-0.5B-Instruct"', '"./tiny-model"').replace(
    "prompts_per_step = 2", "prompts_per_step = 2\nsteps = 2\nlearning_rate = 0.02"
)
# What a random model writes is never right, so that another reward has to tell completions apart.
VARIED = """[rewards.varied]
kind = "python"
function = "my_rewards.py:varied"
range = [0, 1]
weight = 1.0
"""
CHAIN = CHAIN.replace("[stages.warmup]", f"{VARIED}[stages.warmup]")
MY_REWARDS = """
def varied(completions, **kwargs):
    texts = [completion[0]["content"] for completion in completions]
    return [sum(map(ord, text)) % 10 / 10 for text in texts]
"""
SHORT = "num_generations = 4\nmax_completion_length = 8"
CHAIN = CHAIN.replace("num_generations = 4", SHORT)
LORA = '[model]\nadapter = { kind = "lora", r = 4 }'


def write_chain(folder: Path, spec: str = CHAIN, **files: str | bytes) -> Path:
    """Write a project and the tiny model that its base names."""
    project = write_project(folder, spec, my_rewards__py=MY_REWARDS, **files)
    texts = ["0+0?", "<answer>", "</answer>", "the answer is right, or wrong"]
    tiny_model(project).write_tiny_model(project / "tiny-model", texts)
    return project


def tiny_model(project: Path) -> ModuleType:
    """The module of the project's own tests that makes the model."""
    load(project, "stages")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(project / "tests"))
        return load(project, "tiny_model")


def train(project: Path, *stages: str) -> None:
    """Run these stages as their scripts do."""
    for stage in stages:
        load(project, f"train_{stage}").main()


def smoke_test(project: Path) -> subprocess.CompletedProcess[str]:
    """Run the project's smoke test as its owner does, with the packages that are here."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_smoke.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
