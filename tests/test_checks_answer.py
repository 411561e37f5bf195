"""What a reward says of correctness where the spec says that it is the task's."""

from pathlib import Path
from types import ModuleType

import pytest

from tests.projects import SPEC, load, write_project

EVAL = SPEC.replace(
    'gold = { column = "answer" }', 'gold = { column = "answer" }\neval = { holdout = 2 }'
)
CODE = (
    "def long(completions, **columns):\n"
    "    return [2.0 * ('!' in said[0]['content']) for said in completions]\n"
)
OWN = """correct = 1.0
[rewards.own]
kind = "python"
function = "mine.py:long"
range = [0, 2]
checks_answer = true
"""
SOLUTIONS = "".join(
    f'{{"question": "{n}?", "tests": ["assert f() == {n}"], "code": "def f(): return {n}"}}\n'
    for n in range(12)
)


def evaluate(project: Path) -> ModuleType:
    module = load(project, "evaluate")
    module.SAMPLES = 1
    return module


def test_a_reward_that_checks_the_answer_decides_in_the_evaluation(tmp_path: Path) -> None:
    spec = EVAL.replace("correct = 1.0\n", OWN)
    project = write_project(tmp_path / "project", spec, mine__py=CODE)
    module = evaluate(project)
    rows = load(project, "data").load_train().to_list()[:2]
    right = f"<answer>{rows[0]['gold']}</answer>"
    found = evaluate(project).correctness([right, f"{right}!"], [rows[0], rows[0]])
    assert found["correct"] == 0.5
    assert found["unreadable"] == 0.0
    assert set(module.SHOWN_REWARDS) == {"correct", "own"}


def test_without_a_gold_tests_of_code_decide(tmp_path: Path) -> None:
    spec = EVAL.replace('gold = { column = "answer" }\n', "")
    spec = spec.replace('assistant = "<answer>{answer}</answer>"\n', "")
    spec = spec.replace('[answer]\nextract = "xml"\ntag = "answer"\n', "")
    spec = spec.replace(
        "correct = 1.0\n",
        '[rewards.passes]\nkind = "code_tests"\ntests = { asserts = "tests" }\n'
        'solution = { column = "code" }\n',
    )
    project = write_project(tmp_path / "project", spec, train__jsonl=SOLUTIONS)
    module = evaluate(project)
    rows = load(project, "data").load_train().to_list()[:2]
    ideal = load(project, "prompts").ideal_completion(rows[0])
    found = module.correctness([ideal, ideal], [rows[0], rows[1]])
    assert found["correct"] == 0.5
    assert "unreadable" not in found
    findings = load(project, "probes").self_test("train", rows)
    assert findings == []


@pytest.mark.parametrize("checked", [True, False])
def test_without_it_the_answer_decides(tmp_path: Path, checked: bool) -> None:
    own = OWN if checked else OWN.replace("checks_answer = true\n", "")
    spec = EVAL.replace("correct = 1.0\n", own)
    project = write_project(tmp_path / "project", spec, mine__py=CODE)
    rows = load(project, "data").load_train().to_list()[:1]
    right = f"<answer>{rows[0]['gold']}</answer>"
    assert evaluate(project).correctness([right], rows)["correct"] == float(not checked)
