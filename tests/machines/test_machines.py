"""One recipe on five machines: the plans that a reader finds side by side."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "machines"
MACHINES = {
    "t4": ('hardware.tier="t4"',),
    "24gb": (),
    "80gb": ('hardware.tier="80gb"',),
    "8x80gb": ('hardware.tier="80gb"', "hardware.gpus=8"),
    "2x8x80gb": (
        *('hardware.tier="80gb"', "hardware.gpus=16", "hardware.nodes=2"),
        'hardware.launcher="slurm"',
    ),
}
# What is the recipe's, in the tables of settings.
RECIPE = (
    *("learning_rate", "max_length", "num_generations", "max_completion_length", "max_steps"),
    *("beta", "loss_type", "temperature", "LoraConfig.r", "LoraConfig.lora_alpha"),
)


def plan(machine: str) -> str:
    """The page as a person makes it."""
    overrides = [part for each in MACHINES[machine] for part in ("--set", each)]
    return subprocess.run(
        [sys.executable, "-m", "compiler", "plan", "spec.toml", *overrides],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("machine", MACHINES)
def test_the_committed_plan_is_what_the_compiler_says(
    machine: str, request: pytest.FixtureRequest
) -> None:
    page, path = plan(machine), FOLDER / f"{machine}.md"
    if request.config.getoption("--update"):
        path.write_text(page, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page, "run `pytest tests/machines --update`"


def test_the_recipe_is_the_same_on_each() -> None:
    recipes: set[tuple[object, ...]] = set()
    for machine in MACHINES:
        page = (FOLDER / f"{machine}.md").read_text(encoding="utf-8")
        settings = re.findall(r"^\| `(.+?)` \| (.+?) \|", page, re.MULTILINE)
        steps = re.findall(r"One optimizer step takes (.+?) = \d+ per device", page)
        recipes.add((*steps, *(each for each in settings if each[0] in RECIPE)))
    assert len(recipes) == 1
    assert len(recipes.pop()) > len(RECIPE)
