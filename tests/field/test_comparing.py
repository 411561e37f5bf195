"""Comparing answers, on failures that people met: the number in a name is the case's."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.projects import SPEC, load, write_project

TAG = 'extract = "xml"\ntag = "answer"'
IDEAL = '"<answer>{answer}</answer>"'
BOXED = 'extract = "boxed"'
Pay = Callable[[str, str], float]


@pytest.fixture
def payer(tmp_path: Path) -> Iterator[Callable[..., Pay]]:
    """Compile a task whose answers are read and compared like this; what `correct` pays."""
    graders = []

    def compiled(answer: str, ideal: str = "\\boxed{{{answer}}}") -> Pay:
        spec = SPEC.replace(TAG, answer).replace(IDEAL, f"'{ideal}'")
        folder = tmp_path / f"project{len(list(tmp_path.iterdir()))}"
        correct = load(write_project(folder, spec), "rewards").correct
        if (folder / "math_grader.py").exists():
            graders.append(sys.modules["math_grader"])
        return lambda text, gold: correct(completions=[text], gold=[gold])[0]

    yield compiled
    for grader in graders:
        grader.stop_all()


@pytest.fixture
def math(payer: Callable[..., Pay]) -> Pay:
    return payer(f'{BOXED}\ncompare = "math"')


@pytest.mark.parametrize("compare", ["number", "math"])
def test_field_14_of_two_boxes_the_last_one_counts(payer: Callable[..., Pay], compare: str) -> None:
    pay = payer(f'{BOXED}\ncompare = "{compare}"')
    for between in ("Wrong; now", "word " * 60):
        text = rf"First \boxed{{5}}. {between} \boxed{{7}}."
        assert pay(text, "7") == 1
        assert pay(text, "5") == 0


def test_field_17_latex_without_delimiters_is_read_whole(math: Pay) -> None:
    assert math(r"\boxed{1-\sqrt{2}}", r"1-\sqrt{2}") == 1
    assert math(r"\boxed{-\sqrt{2}+1}", r"1-\sqrt{2}") == 1
    assert math(r"\boxed{1}", r"1-\sqrt{2}") == 0
    assert math(r"\boxed{9/7}", r"\dfrac{9}{7}") == 1
    assert math(r"\boxed{9}", r"\dfrac{9}{7}") == 0


@pytest.mark.parametrize("compare", ["number", "math"])
@pytest.mark.parametrize(
    ("policy", "paid"), [("strict", (0, 0, 1)), ("strip", (1, 0, 1)), ("scale", (0, 1, 1))]
)
def test_field_20_what_percent_means_is_declared(
    payer: Callable[..., Pay], compare: str, policy: str, paid: tuple[int, ...]
) -> None:
    pay = payer(f'{BOXED}\ncompare = "{compare}"\npercent = "{policy}"')
    answers = (r"\boxed{28}", r"\boxed{0.28}", r"\boxed{28 percent}")
    assert tuple(pay(answer, "28%") for answer in answers) == paid
    assert pay(r"\boxed{28\%}", "28%") == 1


@pytest.mark.parametrize("compare", ["number", "math"])
def test_field_21_a_mixed_number_is_one_number(payer: Callable[..., Pay], compare: str) -> None:
    pay = payer(f'{BOXED}\ncompare = "{compare}"')
    assert pay(r"\boxed{2 2/3}", "2") == 0
    assert pay(r"\boxed{2\frac{2}{3}}", "2") == 0
    assert pay(r"\boxed{11 5/6}", "71/6") == 1
    assert pay(r"\boxed{11\frac{5}{6}}", "71/6") == 1
    assert pay(r"\boxed{4 10/3}", "10") == 0


def test_field_23_one_of_several_answers_is_not_enough(math: Pay) -> None:
    for gold in ("1331 and 1728", r"\{1331, 1728\}", "1331,1728", "$1331$ and $1728$"):
        assert math(r"\boxed{1728}", gold) == 0
        assert math(r"\boxed{1331}", gold) == 0
        assert math(r"\boxed{1728, 1331}", gold) == 1
        assert math(r"\boxed{1331, 1728, 1000}", gold) == 0
    assert math(r"\boxed{1.2}", "1,2,3") == 0
    assert math(r"\boxed{3,2,1}", "1,2,3") == 1


def test_field_23_and_24_golds_that_cannot_be_checked_are_listed(tmp_path: Path) -> None:
    golds = ["7", r"a=1 \text{ or } a=-2", "1331 and 1728", "B", r"\frac{1}{", r"\sqrt{2}"]
    rows = [{"gold": gold, "row_number": number} for number, gold in enumerate(golds)]
    for compare, listed in (("math", "1, 3, 4"), ("number", "1, 2, 3, 4, 5")):
        spec = SPEC.replace(TAG, f'{TAG}\ncompare = "{compare}"')
        report = load(write_project(tmp_path / compare, spec), "data_report")
        sound, (finding,) = report.sound_golds("train", rows)
        assert len(sound) == len(golds) - len(listed.split(", "))
        assert finding.startswith("error: train: ")
        assert "cannot be checked by this grader" in finding
        assert finding.endswith(f": {listed}")


def test_field_24_alternatives_in_prose_pay_nobody(math: Pay) -> None:
    gold = r"a=1 \text{ or } a=-2"
    for answer in (r"\boxed{1,-2}", r"\boxed{1}", rf"\boxed{{{gold}}}"):
        assert math(answer, gold) == 0


@pytest.mark.parametrize("compare", ["number", "math"])
def test_field_35_the_same_scores_in_a_thread(payer: Callable[..., Pay], compare: str) -> None:
    pay = payer(f'{BOXED}\ncompare = "{compare}"')
    pairs = [(r"\boxed{x+1}", "1+x"), (r"\boxed{5}", "5"), (r"\boxed{6}", "5")]
    paid: list[float] = []
    thread = threading.Thread(target=lambda: paid.extend(pay(*pair) for pair in pairs))
    thread.start()
    thread.join()
    assert paid == [pay(*pair) for pair in pairs] == [float(compare == "math"), 1.0, 0.0]


ALWAYS = '    raise ValueError("stub")\n'
LATER = '    CALLS.append(1)\n    if len(CALLS) > 2:\n        raise ValueError("stub")\n'


@pytest.mark.parametrize(
    ("stub", "scored"), [(ALWAYS, 0), (LATER, 4)], ids=["from the start", "later"]
)
def test_field_36_a_grader_that_always_raises_stops_the_run(
    tmp_path: Path, stub: str, scored: int
) -> None:
    spec = SPEC.replace(TAG, f'{TAG}\ncompare = "math"')
    project = write_project(tmp_path / "project", spec)
    worker = (project / "math_worker.py").read_text("utf-8")
    line = "    found, wanted = values("
    assert line in worker
    broken = worker.replace(line, stub + line).replace("def main(", "CALLS = []\n\n\ndef main(", 1)
    (project / "math_worker.py").write_text(broken, "utf-8")
    correct = load(project, "rewards").correct
    for count in range(scored):
        assert correct([f"<answer>{count}+y</answer>"], [f"y+{count}"]) == [0.0]
    with pytest.raises(RuntimeError, match=r"math_worker\.py"):
        correct(["<answer>z+y</answer>"], ["y+z"])
    sys.modules["math_grader"].stop_all()


def test_field_38_a_tower_of_powers_costs_its_own_row_only(math: Pay) -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text("utf-8").split()[1])

    before = resident()
    for tower in ("9^{9^{9^9}}", r"\log(\log(\log(10^{10^{10^{10}}})))", "2^{2^{2^{2^{2^2}}}}"):
        assert math(rf"\boxed{{{tower}}}", "x+1") == 0
        assert math(r"\boxed{1+x}", "x+1") == 1
    assert (resident() - before) * os.sysconf("SC_PAGE_SIZE") < 50 * 2**20


def test_field_39_nothing_of_an_answer_is_executed(math: Pay, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    for call in (
        "__import__('os').getpid()",
        f"open('{trace}','w')",
        f"__import__('pathlib').Path('{trace}').touch()",
    ):
        assert math(rf"\boxed{{\pi + {call}}}", r"\pi") == 0
    assert not trace.exists()


@pytest.mark.parametrize("edit", ["eval(answer)", "exec(answer)", "pickle.loads(answer.encode())"])
def test_field_39_an_edit_that_evaluates_answers_is_a_lint_error(tmp_path: Path, edit: str) -> None:
    project = write_project(tmp_path / "project")
    rewards = project / "rewards.py"
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "rewards.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    added = f"\n\ndef own(answer):\n    import pickle  # noqa: F401\n\n    return {edit}\n"
    rewards.write_text(rewards.read_text("utf-8") + added, "utf-8")
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "S102" in done.stdout or "S307" in done.stdout or "S301" in done.stdout


@pytest.mark.parametrize("compare", ["number", "math"])
@pytest.mark.parametrize(
    ("answer", "ideal", "text"),
    [
        (TAG, "<answer>{answer}</answer>", "<answer>42</answer>"),
        (TAG, "<answer>{answer}</answer>", "so <answer>$42$</answer>"),
        ('extract = "after"\nmarker = "####"', "#### {answer}", "#### 42"),
        ('extract = "after"\nmarker = "####"', "#### {answer}", "####42"),
        ('extract = "last_number"', "{answer}", "so $42$"),
        ('extract = "last_number"', "{answer}", "The answer is 42"),
        (BOXED, "\\boxed{{{answer}}}", r"so \boxed{42}"),
    ],
)
def test_field_174_every_form_of_a_right_answer_is_paid(
    payer: Callable[..., Pay], compare: str, answer: str, ideal: str, text: str
) -> None:
    pay = payer(f'{answer}\ncompare = "{compare}"', ideal)
    assert pay(text, "42") == 1
    assert pay(text, "43") == 0
