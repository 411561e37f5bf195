"""The tests in a compiled project hold every reward to what TRL relies on, and name what fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import SPEC, write_project

FAULTS = {
    "sane": ("return [float(len(text[0]['content']) % 2) for text in completions]", ""),
    "too_few": ("return [1.0] * (len(completions) - 1)", "one_value"),
    "too_high": ("return [7.0 for _ in completions]", "one_value"),
    "endless": ("return [float('nan') for _ in completions]", "one_value"),
    "drawn": ("return [random.random() for _ in completions]", "the_same_completions"),
    "by_place": (
        "return [place / len(completions) for place, _ in enumerate(completions)]",
        "order_of_the_groups",
    ),
    "main_only": (
        "signal.signal(signal.SIGUSR2, signal.SIG_DFL)\n    return [0.0 for _ in completions]",
        "a_thread_gets",
    ),
    "explodes": (
        "return [float(re.search('(a+)+$', f\"{t[0]['content']}!\") is None) for t in completions]",
        "bounded_time",
    ),
}


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return what fails in the tests of a project with a reward for each fault."""
    code = "import random\nimport re\nimport signal\n"
    tables = ""
    for name, (body, _) in FAULTS.items():
        code += f"\n\ndef {name}(completions, **columns):\n    {body}\n"
        tables += f'[rewards.{name}]\nkind = "python"\nfunction = "mine.py:{name}"\n'
        tables += "range = [0, 1]\nweight = 0.1\n"
    spec = SPEC.replace("correct = 1.0\n", f"correct = 1.0\n{tables}")
    project = write_project(tmp_path_factory.mktemp("faults") / "project", spec, mine__py=code)
    tests = project / "tests" / "test_rewards.py"
    text = tests.read_text()
    assert "\nSECONDS = 60 " in text
    tests.write_text(text.replace("\nSECONDS = 60 ", "\nSECONDS = 2 "))
    return failures(project)


def failures(project: Path) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=no", "tests/test_rewards.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    return {words[1] for words in lines if words and words[0] == "FAILED"}


@pytest.mark.heavy
@pytest.mark.parametrize("name", FAULTS)
def test_a_reward_that_breaks_the_contract_fails_with_its_name(name: str, failed: set[str]) -> None:
    wanted = FAULTS[name][1]
    found = {test for test in failed if f"[{name}]" in test}
    assert any(wanted in test for test in found) if wanted else not found, found


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("edit", "is_refused"),
    [
        ("eval(gold)", True),
        ("exec(gold)", True),
        ("__import__('pickle').loads(gold)", True),
        ("re.compile(gold)", False),
    ],
)
def test_no_file_that_scores_may_run_a_text(tmp_path: Path, edit: str, is_refused: bool) -> None:
    code = (
        "import re\n\n\ndef own(completions, gold, **columns):\n    return [0.0 for _ in gold]\n"
        f"def unused(gold):\n    return {edit}\n"
    )
    table = '[rewards.own]\nkind = "python"\nfunction = "mine.py:own"\nrange = [0, 1]\n'
    spec = SPEC.replace("correct = 1.0\n", f"correct = 1.0\n{table}")
    found = failures(write_project(tmp_path / "project", spec, mine__py=code))
    name = "tests/test_rewards.py::test_no_text_of_a_model_is_executed"
    assert found == ({name} if is_refused else set())


@pytest.mark.heavy
def test_a_stage_whose_own_reward_sees_nothing_to_pay_is_warned_of(tmp_path: Path) -> None:
    """Nothing says that it must tell the crafted completions apart."""
    code = "def polite(completions, **columns):\n"
    code += "    return [float('please' in said[0]['content']) for said in completions]\n"
    table = '[rewards.polite]\nkind = "python"\nfunction = "mine.py:polite"\nrange = [0, 1]\n'
    spec = SPEC.replace("correct = 1.0\n", f"correct = 0.0\n{table}")
    project = write_project(tmp_path / "project", spec, mine__py=code)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/test_smoke.py"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "warning: no paid reward tells the crafted completions apart" in done.stdout
