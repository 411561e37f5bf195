"""monitor.py: which alarms a stage has, when one is told, and what real runs set off."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from compiler.plan.stages import MethodName
from compiler.resolve.watching.monitor import EVERYWHERE, OF_METHOD
from compiler.stack import load_stack
from tests.projects import SPEC, load, write_project
from tests.watching.runs import Entry, rollout_log

CONFIG = {"learning_rate": 1e-5, "max_grad_norm": 1.0, "num_generations": 4, "beta": 0.0}
CONFIG |= {"max_completion_length": 64, "temperature": 1.0}


@pytest.fixture
def monitor(tmp_path: Path) -> ModuleType:
    return load(write_project(tmp_path / "project"), "monitor")


def feed(
    monitor: ModuleType, folder: Path, log: list[Entry], begin: int = 0, rank: int = 0
) -> None:
    """Hand a log to the monitor of `reasoning` as a trainer does, from the entry `begin` on."""
    watching = monitor.Monitor("reasoning")
    args = SimpleNamespace(**CONFIG, output_dir=str(folder))
    state = SimpleNamespace(log_history=log[:begin], is_world_process_zero=rank == 0)
    state.global_step = log[begin - 1]["step"] if begin else 0
    watching.on_train_begin(args, state, None)
    for end in range(begin + 1, len(log) + 1):
        state.log_history, state.global_step = log[:end], log[end - 1]["step"]
        watching.on_log(args, state, None, logs=log[end - 1])


def told(folder: Path) -> list[tuple[int, str]]:
    path = folder / "alarms.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [(alarm["step"], alarm["alarm"]) for alarm in map(json.loads, lines)]


CUT = rollout_log(60, completions__clipped_ratio=lambda step: 0.5 if step not in (30, 35) else 0.0)


def test_an_alarm_is_told_once_for_as_long_as_it_sounds(
    monitor: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monitor, tmp_path, CUT)
    assert told(tmp_path) == [(15, "cut_off"), (50, "cut_off")]
    out = capsys.readouterr().out
    assert out.count("ALARM at step") == 2
    assert "step 15 of reasoning" in out
    assert "max_completion_length (it is 64)" in out


def test_a_resumed_run_tells_nothing_twice(monitor: ModuleType, tmp_path: Path) -> None:
    feed(monitor, tmp_path, CUT)
    feed(monitor, tmp_path, CUT, begin=5)
    assert told(tmp_path) == [(15, "cut_off"), (50, "cut_off")]


def test_only_the_first_process_tells(
    monitor: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monitor, tmp_path, CUT, rank=1)
    assert told(tmp_path) == []
    assert capsys.readouterr().out == ""


def test_a_healthy_run_sets_off_nothing(monitor: ModuleType, tmp_path: Path) -> None:
    feed(monitor, tmp_path, rollout_log(60))
    assert not (tmp_path / "alarms.jsonl").exists()


def test_a_stage_has_the_alarms_of_its_method_alone(monitor: ModuleType) -> None:
    alarms = {stage: {each.__name__ for each in found} for stage, found in monitor.ALARMS.items()}
    assert alarms["warmup"] == {"broken_number", "gradient_spike", "memorised"}
    assert "stuck_reward" in alarms["reasoning"]
    assert "memorised" not in alarms["reasoning"]
    assert "far_from_start" not in alarms["reasoning"], "no KL is logged with beta = 0"


def test_a_kl_is_watched_where_there_is_one(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", f"{SPEC}beta = 0.04\n")
    names = {each.__name__ for each in load(project, "monitor").ALARMS["reasoning"]}
    assert "far_from_start" in names


def test_rewards_that_are_only_logged_are_not_watched(tmp_path: Path) -> None:
    spec = SPEC.replace(
        "[stages.warmup]", '[rewards.tags]\nkind = "xml_tags"\nweight = 0.0\n[stages.warmup]'
    )
    ranges = load(write_project(tmp_path / "project", spec), "monitor").RANGES
    assert ranges == {"reasoning": {"correct": (0.0, 1.0)}}


def test_without_the_monitor_and_the_lines_that_name_it_all_else_stands(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    for name in ("monitor.py", "alarms.py"):
        (project / name).unlink()
    for path in project.rglob("*.py"):
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(line for line in lines if not re.search("[Mm]onitor", line)))
    command = [sys.executable, "-m", "ruff", "check", "--select", "E9,F", "--isolated", "."]
    assert subprocess.run(command, cwd=project, check=False).returncode == 0
    load(project, "train_reasoning")


PIECES = Path(__file__).parents[2] / "templates" / "alarms"


def test_the_page_lists_every_alarm() -> None:
    page = (Path(__file__).parents[2] / "docs" / "monitoring.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert listed == {path.stem for path in PIECES.glob("*.py")} - {"windows"}


@pytest.mark.parametrize("method", OF_METHOD)
def test_an_alarm_names_settings_that_its_method_has(method: MethodName) -> None:
    stack = load_stack("trl-1.16")
    for alarm in (*EVERYWHERE, *OF_METHOD[method]):
        text = (PIECES / f"{alarm}.py").read_text(encoding="utf-8")
        for field in re.findall(r"run\.args\.(\w+)", text):
            assert stack.field(method, field) is not None, (alarm, field)


REAL = """
spec = 1
[project]
name = "sums"
[model]
base = "./tiny"
[hardware]
tier = "cpu"
[data]
train = { path = "train.jsonl" }
[prompt]
user = "{question}"
[rewards.own]
kind = "python"
function = "my_rewards.py:judge"
range = [0, 1]
weight = 1.0
[stages.reasoning]
method = "grpo"
prompts_per_step = 4
num_generations = 4
"""
DEAD = "def judge(completions, **columns):\n    return [0.0 for _ in completions]\n"
# Pays for one letter over and over, which a policy of some thousand weights finds at once.
GAMED = (
    "def judge(completions, **columns):\n"
    "    texts = [completion[0]['content'] for completion in completions]\n"
    "    return [text.count('1') / max(len(text), 1) for text in texts]\n"
)


def run(folder: Path, reward: str, stage: str, ends: int = 0) -> tuple[list[str], str]:
    """Train a stage for real, which exits with `ends`; gives its alarms and what was printed."""
    project = write_project(folder / "project", REAL + stage, my_rewards__py=reward)
    write = "import pathlib, tiny_model; "
    write += "tiny_model.write_tiny_model(pathlib.Path('tiny'), ['1+1?', '1 2 3 4 5 6 7 8 9 0'])"
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": "tests",
    }
    printed = ""
    for command, status in ((["-c", write], 0), (["train_reasoning.py"], ends)):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stderr[-3000:]
        printed += done.stdout
    found = [alarm for _, alarm in told(project / "outputs" / "reasoning")]
    return found, printed


@pytest.mark.heavy
def test_field_51_a_run_whose_reward_is_dead_and_whose_answers_are_cut_says_both_and_stops(
    tmp_path: Path,
) -> None:
    stage = "steps = 20\nmax_completion_length = 4\ntrainer = { logging_steps = 2 }\n"
    stage += '[run]\nstop_when = { reward = "own", below = 0.01, after = 8 }\n'
    found, printed = run(tmp_path, DEAD, stage, ends=6)
    assert set(found) == {"no_spread", "cut_off", "stuck_reward"}
    assert "own has been 0, its lowest, for every completion" in printed
    assert "a larger max_completion_length (it is 4)" in printed
    assert printed.rstrip().endswith("stopped at step 10: own is 0, below 0.01")


@pytest.mark.heavy
def test_a_run_that_collapses_onto_one_text_says_so(tmp_path: Path) -> None:
    stage = "steps = 60\nmax_completion_length = 8\nlearning_rate = 0.02\n"
    stage += "trainer = { logging_steps = 2 }\n"
    found, printed = run(tmp_path, GAMED, stage)
    assert "entropy_collapse" in found
    assert "a lower learning_rate (it is 0.02)" in printed
    assert "stuck_reward" not in found
