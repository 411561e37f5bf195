"""Task 4 of the field: Python functions, paid for the unit tests that they pass."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import Run
from tests.projects import load

TASK = Path(__file__).parent / "python_functions"


@pytest.fixture
def project(tmp_path: Path, run: Run) -> Path:
    """The task in a folder of its own, compiled."""
    shutil.copytree(TASK, tmp_path / "task")
    done = run("compile", "--here", str(tmp_path / "task" / "task.toml"))
    assert done.code == 0, done.err
    return tmp_path / "task"


def test_the_spec_is_right_and_short(run: Run) -> None:
    done = run("check", "--deny", "warnings", str(TASK / "task.toml"))
    assert done.code == 0, done.out
    lines = (TASK / "task.toml").read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 35


def test_every_solution_earns_all_and_a_half_right_one_its_share(project: Path) -> None:
    rewards = load(project, "rewards")
    data = load(project, "data")
    rows = [data.add_prompt(row) for row in data.all_rows().to_list()]
    assert len(rows) >= 32
    texts = [rewards.ideal_completion(row) for row in rows]
    columns = {
        name: [row[name] for row in rows] for name in ("test_list", "test_setup_code", "code")
    }
    assert rewards.passes(completions=texts, **columns) == [1.0] * len(rows)
    half = "```python\ndef add(a, b):\n    return abs(a + b) if b > 0 else 0\n```"
    wrong = [half, "```python\nimport os; os._exit(0)\n```", ""]
    first = {name: cells[:1] * len(wrong) for name, cells in columns.items()}
    assert rewards.passes(completions=wrong, **first) == [1.0, 0.0, 0.0]
    assert rewards.passes(
        completions=wrong[:1],
        test_list=[["assert add(1, -1) == 1", "assert add(1, 1) == 2"]],
        test_setup_code=[""],
        code=[rows[0]["code"]],
    ) == [0.5]


@pytest.mark.heavy
def test_the_projects_own_tests_pass(project: Path) -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
