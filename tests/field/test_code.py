"""Rewards that run code, on failures that people met: the number in a name is the case's."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.projects import load, write_project

SPEC = """
spec = 1
[project]
name = "functions"
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[data]
train = { path = "train.jsonl" }
[prompt]
user = "{text}"
[rewards.passes]
kind = "code_tests"
tests = { asserts = "test_list" }
solution = { column = "code" }
timeout_seconds = 1
memory_mb = 256
[stages.reasoning]
method = "grpo"
prompts_per_step = 16
num_generations = 8
"""
RIGHT = "def double(x):\n    return 2 * x"
ASSERTS = ["assert double(1) == 2", "assert double(21) == 42"]


def rows(**first: object) -> str:
    made = [
        {"text": f"Write double, in way {number}.", "code": RIGHT, "test_list": ASSERTS}
        for number in range(20)
    ]
    made[0] |= first
    return "".join(json.dumps(row) + "\n" for row in made)


def fenced(code: str) -> str:
    return f"Here it is:\n\n```python\n{code}\n```\n"


@pytest.fixture
def rewards(tmp_path: Path) -> ModuleType:
    return load(write_project(tmp_path / "project", SPEC, train__jsonl=rows()), "rewards")


def pay(rewards: ModuleType, *texts: str, asserts: list[str] = ASSERTS) -> list[float | None]:
    completions = [[{"role": "assistant", "content": text}] for text in texts]
    columns = {"test_list": [asserts] * len(texts), "code": [RIGHT] * len(texts)}
    return rewards.passes(completions=completions, **columns)


def test_field_134_leaving_early_is_not_passing(rewards: ModuleType) -> None:
    codes = [
        "import sys\nsys.exit(0)",
        "import os\nos._exit(0)",
        "import atexit\natexit.register(lambda: print('ok'))\ndef double(x): raise SystemExit(0)",
        "import sys\nsys.excepthook = lambda *_: print('ok')\ndef double(x): return 0",
        "import os\ndef double(x): os._exit(0)",
    ]
    assert pay(rewards, fenced(RIGHT), *map(fenced, codes)) == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_field_135_a_printed_line_is_not_passing(rewards: ModuleType) -> None:
    codes = ["print('ALL TESTS PASSED')", "print('{\"passed\": 2}')\nimport sys\nsys.exit(0)"]
    assert pay(rewards, *map(fenced, codes)) == [0.0, 0.0]


def test_field_137_the_tests_cannot_be_read(rewards: ModuleType) -> None:
    table = "def double(x):\n    return dict(found).get(x)\n"
    reading = [
        "found = [eval(line) for line in open(__file__)]",
        "found = [open('/proc/self/cmdline').read().split()]",
        "import sys\nfound = [sys.stdin.read().split('==')]\nassert found[0][1:]",
        (
            "import glob\nfound = [open(name).read() for name in glob.glob('../*/*.jsonl')]\n"
            "assert found"
        ),
        "open('result.json', 'w').write('[1, 1]')\nfound = []",
    ]
    assert pay(rewards, *(fenced(f"{read}\n{table}") for read in reading)) == [0.0] * 5


def test_field_138_greed_ends_within_the_limits(rewards: ModuleType) -> None:
    codes = [
        "x = 'a' * 10**10",
        "x = [[0] * 10**8 for _ in range(100)]",
        "with open('x', 'w') as file:\n    for _ in range(10**4): file.write('a' * 10**6)",
        "while True: print('a' * 10**6)",
    ]
    assert pay(rewards, *(fenced(f"{code}\n{RIGHT}") for code in codes)) == [0.0] * 4


@pytest.fixture
def report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Path], tuple[object, str]]:
    """Run `python data.py` of a project: how it ends, and what it says."""

    def run(project: Path) -> tuple[object, str]:
        module = load(project, "data_report")
        # Nothing here asks the network for a tokenizer.
        monkeypatch.setattr(module, "AutoTokenizer", Absent)
        monkeypatch.setattr(sys, "argv", ["data.py"])
        with pytest.raises(SystemExit) as ended:
            module.main()
        return ended.value.code, capsys.readouterr().out

    return run


class Absent:
    """A tokenizer that is neither here nor on the hub."""

    @staticmethod
    def from_pretrained(*_: object, **__: object) -> None:
        raise OSError


Report = Callable[[Path], tuple[object, str]]


def test_field_140_the_longest_step_is_told_before_training(tmp_path: Path, report: Report) -> None:
    many = [f"assert double({number}) == {2 * number}" for number in range(200)]
    spec = SPEC.replace("timeout_seconds = 1\n", "timeout_seconds = 5\n")
    code, said = report(
        write_project(tmp_path / "project", spec, train__jsonl=rows(test_list=many))
    )
    assert code == 0
    assert "(h:mm:ss) a step at worst: 200 tests of 5 s for each of 128 completions" in said


def test_field_140_the_first_failure_stops_the_rest(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project", SPEC, train__jsonl=rows())
    rewards = load(project, "rewards")
    tests = rewards.read_tests("asserts", (ASSERTS * 100,), limits=rewards.PASSES_LIMITS)
    assert len(rewards.outcomes("def double(x): return 0", tests)) == 1


def test_field_141_the_last_block_is_run_however_it_is_fenced(rewards: ModuleType) -> None:
    wrong = "def double(x):\n    return x"
    texts = [
        f"```python\n{RIGHT}\n```",
        f"```\n{RIGHT}\n```",
        f"~~~\n{RIGHT}\n~~~",
        f"```python\n{wrong}\n```\nNo, better:\n```python\n{RIGHT}\n```",
        f"```python\r\n{RIGHT}\r\n```\r\n".replace("\n    ", "\r\n    "),
        f"<think>\n```python\n{wrong}\n```\n</think>\n```py\n{RIGHT}\n```",
    ]
    assert pay(rewards, *texts) == [1.0] * 6
    turned = f"```python\n{RIGHT}\n```\nNo, better:\n```python\n{wrong}\n```"
    thought = f"<think>\n```python\n{RIGHT}\n```\n</think>\nThat is it."
    assert pay(rewards, turned, thought, RIGHT, f"```python\n{RIGHT}", "") == [0.0] * 5


def test_field_141_a_row_whose_solution_fails_is_named(tmp_path: Path, report: Report) -> None:
    wrong = rows(code="def double(x):\n    return x")
    code, said = report(write_project(tmp_path / "project", SPEC, train__jsonl=wrong))
    assert code == 1
    assert "1 row whose ideal completion earns less than 1 of `passes`: 0" in said


def test_field_141_a_machine_that_cannot_run_code_is_no_wrong_answer(rewards: ModuleType) -> None:
    sandbox = sys.modules["sandbox"]  # the project's
    sandbox.HERE = Path("/nowhere")
    with pytest.raises(sandbox.SandboxError):
        pay(rewards, fenced(RIGHT))
