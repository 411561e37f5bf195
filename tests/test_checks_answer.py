"""What a reward says of correctness where the spec says that it is the task's."""

from pathlib import Path

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


def test_a_reward_that_checks_the_answer_decides_in_the_evaluation(tmp_path: Path) -> None:
    spec = EVAL.replace("correct = 1.0\n", OWN)
    project = write_project(tmp_path / "project", spec, mine__py=CODE)
    rows = load(project, "data").load_train().to_list()[:1]
    right = f"<answer>{rows[0]['gold']}</answer>"
    grading = load(project, "grading")
    found = grading.figures(grading.grade(rows, [[right, f"{right}!"]]))
    assert found["pass_at"]["1"]["mean"] == 0.5
    assert found["pass_at"]["2"]["mean"] == 1.0
    assert found["unreadable"]["mean"] == 0.0
    assert {name: found["rewards"][name]["mean"] for name in ("correct", "own")} == {
        "correct": 1.0,
        "own": 1.0,
    }


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
    rows = load(project, "data").load_train().to_list()[:2]
    ideal = load(project, "prompts").ideal_completion(rows[0])
    grading = load(project, "grading")
    found = grading.figures(grading.grade(rows, [[ideal], [ideal]]))
    assert found["pass_at"]["1"]["mean"] == 0.5
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
    grading = load(project, "grading")
    found = grading.figures(grading.grade(rows, [[right]]))
    assert found["pass_at"]["1"]["mean"] == float(not checked)
