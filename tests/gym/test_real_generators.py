"""The table of generators, and a compiled project, held against reasoning-gym itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.stack.generators import TABLE, UNSTEADY
from tests.gym.test_generated_rows import SPEC
from tests.projects import write_project
from tests.stack.list_generators import generators

pytestmark = pytest.mark.slow

MAKE = """
import json, sys
import reasoning_gym
found = {}
for name in json.loads(sys.argv[1]):
    made = reasoning_gym.create_dataset(name, size=30, seed=1000)
    found[name] = [[made[number]["question"], str(made[number]["answer"])] for number in range(30)]
print(json.dumps(found))
"""


@pytest.fixture(autouse=True)
def needs_the_package() -> None:
    pytest.importorskip("reasoning_gym")


def test_the_table_is_that_of_the_installed_release() -> None:
    assert json.loads(TABLE.read_text()) == generators()


def test_generators_that_are_refused_make_other_rows_in_another_process() -> None:
    names = json.dumps([*UNSTEADY, "chain_sum", "countdown"])
    one, two = (
        json.loads(
            subprocess.run(
                [sys.executable, "-c", MAKE, names],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            ).stdout
        )
        for seed in "12"
    )
    assert {name for name in one if one[name] != two[name]} == set(UNSTEADY)


def test_a_project_passes_its_own_tests_with_the_real_verifier(tmp_path: Path) -> None:
    project = write_project(tmp_path, SPEC)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "tests"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
