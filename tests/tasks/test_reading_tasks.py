"""Tasks 1 to 3 of the field: thinking maths, invoices to JSON, multiple choice."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Run
from tests.projects import load

TASKS = Path(__file__).parent
LENGTHS = {"thinking_maths": 37, "invoices": 50, "multiple_choice": 35}


@pytest.fixture
def compiled(tmp_path: Path, run: Run) -> Callable[[str], Path]:
    """Compile a task in a folder of its own."""

    def compile_task(name: str) -> Path:
        shutil.copytree(TASKS / name, tmp_path / name)
        done = run("compile", "--here", str(tmp_path / name / "task.toml"))
        assert done.code == 0, done.err
        return tmp_path / name

    return compile_task


@pytest.mark.parametrize("name", LENGTHS)
def test_the_spec_is_right_and_short(name: str, run: Run) -> None:
    done = run("check", "--deny", "warnings", str(TASKS / name / "task.toml"))
    assert done.code == 0, done.out
    lines = (TASKS / name / "task.toml").read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= LENGTHS[name]


@pytest.mark.heavy
@pytest.mark.parametrize("name", LENGTHS)
def test_the_projects_own_tests_and_its_data_report_pass(
    name: str, compiled: Callable[[str], Path]
) -> None:
    project = compiled(name)
    environment = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    commands = [["-m", "pytest", "-q"]]
    if name != "thinking_maths":  # whose rows are on the hub
        commands.append(["data.py"])
    for command in commands:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def pay(reward: Callable[..., list[float]], text: str, gold: str) -> float:
    return reward(completions=[text], gold=[gold], completion_ids=[[0]])[0]


def test_a_box_counts_behind_the_thinking_only(compiled: Callable[[str], Path]) -> None:
    project = compiled("thinking_maths")
    rewards = load(project, "rewards")
    thought = "<think>\nIt may be \\boxed{41}.\n</think>\n\n"
    assert pay(rewards.correct, f"{thought}It is \\boxed{{42}}.", "42") == 1.0
    assert pay(rewards.correct, f"{thought}It is 42.", "41") == 0.0
    assert pay(rewards.correct, "<think>\nIt is \\boxed{42}", "42") == 0.0
    assert pay(rewards.boxed_format, f"{thought}It is 42.", "42") == 0.0
    # The limit is the stage's, said once in the spec.
    assert rewards.overlong(completions=[""], completion_ids=[[0] * 2048]) == [-1.0]
    assert rewards.overlong(completions=[""], completion_ids=[[0] * 100]) == [0.0]


def test_a_thinking_model_is_never_asked_greedily(
    compiled: Callable[[str], Path], run: Run
) -> None:
    project = compiled("thinking_maths")
    for script in ("train_reasoning.py", "evaluate.py"):
        text = (project / script).read_text()
        assert re.search(r"temperature\W+0\.6\b.*top_p\W+0\.95\b.*top_k\W+20\b", text, re.DOTALL)
    assert "enable_thinking = true" in (project / "tokens.py").read_text()
    spec = project / "task.toml"
    asked = spec.read_text().replace(
        "samples = 4\ntemperature = 0.6", "samples = 1\ntemperature = 0"
    )
    spec.write_text(asked)
    done = run("check", "--format", "concise", str(spec))
    assert "warning[greedy-thinking]" in done.out


def test_an_invoice_is_paid_for_the_share_of_its_fields(compiled: Callable[[str], Path]) -> None:
    project = compiled("invoices")
    rewards, data = load(project, "rewards"), load(project, "data")
    row = data.load_train().to_list()[0]
    right: dict[str, Any] = json.loads(row["gold"])
    same = right | {
        "vendor": right["vendor"].upper(),
        "total": right["total"] + 0.01,
        "lines": right["lines"][::-1],
    }
    for found, share in (
        (same, 1.0),
        (right | {"total": right["total"] + 1}, 0.75),
        (right | {"date": "2023-01-01", "vendor": "Another"}, 0.5),
        ({"vendor": right["vendor"]}, 0.25),
    ):
        assert pay(rewards.fields, json.dumps(found), row["gold"]) == pytest.approx(share)
    held_out = {row["vendor"] for row in data.load_eval().to_list()}
    assert not held_out & {row["vendor"] for row in data.load_train().to_list()}
    assert pay(rewards.well_formed, json.dumps(same), row["gold"]) == 1.0
    assert pay(rewards.well_formed, '{"vendor": "x"}', row["gold"]) == 0.0


def test_options_are_shuffled_shown_and_read_in_every_form(
    compiled: Callable[[str], Path],
) -> None:
    project = compiled("multiple_choice")
    rewards, data = load(project, "rewards"), load(project, "data")
    rows = data.load_train().to_list() + data.load_eval().to_list()
    assert len(rows) == 38, "two rows have several right answers"
    for row in rows:
        letter, text = row["gold"].split(". ", 1)
        assert row["gold"] in row["prompt"][-1]["content"]
        for said in (f"ANSWER: {letter}", f"**{letter}**", f"({letter})", row["gold"], text):
            assert pay(rewards.correct, said, row["gold"]) == 1.0, said
        wrong = "ABCD".replace(letter, "")
        assert pay(rewards.correct, f"ANSWER: {wrong[0]}", row["gold"]) == 0.0
        assert pay(rewards.correct, "ANSWER: A, B, C or D", row["gold"]) == 0.0
        assert pay(rewards.correct, "ANSWER: None of the above", row["gold"]) == 0.0
    orders = {row["gold_label"] for row in rows}
    assert orders == set("ABCD")
