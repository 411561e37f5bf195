"""Mathematics: what a text gives, and whether that is the same; hostile texts end."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest
from grouping_thousands import without_thousands
from hypothesis import given
from hypothesis import strategies as st
from math_terms import math_terms
from number import Number, parse_number

from tests.projects import SPEC, load, write_project

HOSTILE = (
    *("9^{9^{9^9}}", "2^{2^{2^{2^{2^2}}}}", r"\sin(10^{10^{10}})", "1000000!", "99999999!!"),
    r"\log(\log(\log(10^{10^{10^{10}}})))",
    r"\tan(\tan(\tan(\tan(10^{100}))))",
    r"\prod_{k=1}^{100000} (x+k)",
    r"\int_0^1 e^{-x^{x^x}} dx",
    r"\binom{10^9}{5\cdot10^8}",
    "(x+1)^{10000000}",
    "(x+y+z+w)^{100}",
    "(" * 200 + "1" + ")" * 200,
    r"\frac{1}{" * 60 + "2" + "}" * 60,
    "x^{x^{x^{x}}}+" * 40 + "1",
    "{" * 400,
)


def number(text: str) -> Number | None:
    return parse_number(without_thousands(text))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = SPEC.replace('tag = "answer"', 'tag = "answer"\ncompare = "math"')
    return write_project(tmp_path_factory.mktemp("math") / "project", spec)


@pytest.fixture(scope="module")
def loaded(project: Path) -> Iterator[tuple[ModuleType, ModuleType]]:
    """The project's answers.py and math_grader.py."""
    answers = load(project, "answers")
    grader = sys.modules["math_grader"]
    yield answers, grader
    grader.stop_all()


@pytest.fixture
def answers(loaded: tuple[ModuleType, ModuleType]) -> ModuleType:
    return loaded[0]


@pytest.fixture
def grader(loaded: tuple[ModuleType, ModuleType]) -> ModuleType:
    return loaded[1]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("1331 and 1728", ("1331", "1728")),
        (r"\{1, 2\}", ("1", "2")),
        ("1, 2 and 3", ("1", "2", "3")),
        ("(1, 2)", ("(1, 2)",)),
        (r"$[0,1) \cup (2, 3]$", (r"[0,1) \cup (2, 3]",)),
        (r"\boxed{5}. Wrong; now \boxed{7}", ("7",)),
        ("2 2/3", (r"\frac{8}{3}",)),
        ("x = 2 2/3", (r"x = (2+\frac{2}{3})",)),
        (r"2\frac{2}{3}\pi", (r"(2+\frac{2}{3})\pi",)),
        ("0.5x", (r"{\frac{5}{10}}x",)),
        (r"\sqrt2, √3", (r"\sqrt{2}", r"\sqrt{3}")),
        ("sqrt(2)+pi", (r"\sqrt{2}+\pi",)),
        ("x²", ("x^{2}",)),
        ("x**2", ("x^{2}",)),
        (r"\text{Evelyn}", ('"evelyn"',)),
        ("No solution.", ('"no solution"',)),
        ("14_5", ('"14_5"',)),
        (r"10,\!000 and 5", ("10000", "5")),
        ("1,234, 5", ("1234", "5")),
        (r"1,000\pi", (r"1000\pi",)),
        ("(1,234)", ("(1,234)",)),
        (r"x \in \{1, 2\}", ("1", "2")),
        (r"\{x \mid x > 1\}", (r"\{x \mid x > 1\}",)),
        (r"\{\}", (r"\emptyset",)),
    ],
)
def test_what_a_text_gives(text: str, terms: tuple[str, ...]) -> None:
    assert math_terms(text, number) == terms


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ".", "$", "B", "(C)", r"\text{(B)}", "A, B", "4 10/3", "1.2.3", "50% and 3"),
        *(r"a=1 \text{ or } a=-2", "1 or 2", "there are 14 ways", "x" * 1001, "1," * 21),
    ],
)
def test_what_cannot_be_compared_as_mathematics(text: str) -> None:
    assert math_terms(text, number) is None


@given(st.text(max_size=80) | st.text(alphabet=r"\frac{}^_()[],.;012x and$", max_size=40))
def test_taking_apart_never_raises(text: str) -> None:
    math_terms(text, number)


@pytest.mark.parametrize(
    ("answer", "gold", "same"),
    [
        (r"-\sqrt{2}+1", r"1-\sqrt{2}", True),
        ("1", r"1-\sqrt{2}", False),
        (r"\sqrt{2}\sqrt{3}", r"\sqrt{6}", True),
        (r"\sqrt{2}\sqrt{3}-\sqrt{6}", "0", True),
        (r"\frac{\sqrt{3}}{3}", r"1/\sqrt{3}", True),
        ("x^2+2x+1", "(x+1)^2", True),
        ("x^2+2x", "(x+1)^2", False),
        ("0.5x", r"\frac{x}{2}", True),
        ("y = 2x + 3", "y = 3 + 2x", True),
        ("5", "x=5", True),
        ("x=5", "5", True),
        ("y=5", "x=5", False),
        (r"\frac{\pi}{10^{30}}", r"\frac{2\pi}{10^{30}}", False),
        ("0.00000001", "0.00000002", False),
        ("0.333333", "1/3", False),
        ("1.5707963268", r"\frac{\pi}{2}", False),
        ("(3, 1.5707963268)", r"(3, \frac{\pi}{2})", False),
        (r"(3, \frac{2\pi}{4})", r"(3, \frac{\pi}{2})", True),
        ("(1, 2)", "(1, 2]", False),
        ("(2, 1)", "(1, 2)", False),
        ("1, 2", "(1, 2)", False),
        ("2, 1", r"\{1, 2\}", True),
        ("1, 2, 3", "1, 2", False),
        ("1", "1, 2", False),
        (r"1 \pm \sqrt{2}", r"1+\sqrt{2}, 1-\sqrt{2}", True),
        (r"(5,\infty) \cup (-\infty,3)", r"(-\infty, 3) \cup (5, \infty)", True),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", True),
        (r"\begin{pmatrix}1&2\\3&5\end{pmatrix}", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", False),
        ("5 > x", "x < 5", True),
        ("x <= 5", "x < 5", False),
        (r"30^\circ", "30", True),
        ("2i+1", "1 + 2 i", True),
        (r"e^{i\pi}", "-1", True),
        ("-i", "i", False),
        ("(1, 234)", "(1,234)", True),
        ("(x,y)=(1,2)", "(1,2)", True),
        (r"\sqrt{x^2}", "|x|", True),
        ("14", "14_5", False),
        ("14_{5}", "14_5", True),
        ("evelyn", r"\text{Evelyn}", True),
        ("even", "odd", False),
        ("72.0", "72", True),
        ("28%", "28", False),
        ("B", "B", False),
        (r"\frac{1}{0}", r"\frac{1}{0}", False),
        (r"\{x \mid x > 1\}", r"\{x \mid x > 1\}", False),
        ("", "", False),
    ],
)
def test_mathematics_is_the_same(answers: ModuleType, answer: str, gold: str, same: bool) -> None:
    assert answers.same_answer(answer, gold) is same


def test_without_grouping_a_comma_sets_apart() -> None:
    assert math_terms("1,234", parse_number) == ("1", "234")


def test_the_policies_of_numbers_hold_in_mathematics(tmp_path: Path) -> None:
    keys = 'compare = "math"\ntolerance = 0.01\npercent = "scale"\nunit = "cm"'
    spec = SPEC.replace('tag = "answer"', f'tag = "answer"\n{keys}')
    same = load(write_project(tmp_path / "project", spec), "answers").same_answer
    assert same("1.414", r"\sqrt{2}")
    assert not same("1.39", r"\sqrt{2}")
    assert same("28%", "0.28")
    assert same("5 cm", "5")
    assert same(r"\sqrt{2}", "1.414")
    sys.modules["math_grader"].stop_all()


def test_a_hostile_answer_is_wrong_and_the_next_one_is_compared(answers: ModuleType) -> None:
    for hostile in HOSTILE[:3]:
        start = time.process_time()
        assert not answers.same_answer(hostile, "x+1")
        assert time.process_time() - start < 0.5  # the work is another process's
        assert answers.same_answer("1+x", "x+1")


@pytest.mark.slow
def test_a_batch_of_hostile_answers_ends_and_the_others_are_scored(project: Path) -> None:
    load(project, "answers")
    correct = load(project, "rewards").correct
    hostile = [f"{text} + {count}" for count in range(4) for text in HOSTILE]
    assert len(hostile) == 64
    texts = [text for count, bad in enumerate(hostile) for text in (bad, f"x + {count}")]
    golds = [gold for count in range(64) for gold in ("x + 1", f"{count} + x")]
    memory, work = resident_bytes(), seconds_of_children()
    marks = correct([f"<answer>{text}</answer>" for text in texts], golds)
    sys.modules["math_grader"].stop_all()
    assert marks == [0.0, 1.0] * 64
    # A second of a processor each, and what 64 fair comparisons and four starts take.
    assert seconds_of_children() - work < 64 + 30
    assert resident_bytes() - memory < 100 * 2**20


def seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def resident_bytes() -> int:
    pages = Path("/proc/self/statm").read_text("utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_every_thread_gets_its_own_answer(answers: ModuleType, grader: ModuleType) -> None:
    def ask(count: int) -> bool:
        return answers.same_answer(f"x+{count}", f"{count}+x") and not answers.same_answer(
            f"x+{count}", f"{count + 1}+x"
        )

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(ask, range(100, 140)))
    pool = grader.POOLS[os.getpid()].queue
    assert len(pool) == grader.PROCESSES, "every worker was given back"
    assert any(worker is not None for worker in pool)


def test_a_result_is_remembered_and_equal_texts_need_no_comparison(
    answers: ModuleType, grader: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answers.same_answer("x+77", "77+x")
    assert not answers.same_answer("x+78", "77+x")

    def refuse(comparison: object) -> bool:
        raise AssertionError(comparison)

    monkeypatch.setattr(grader, "ask", refuse)
    assert answers.same_answer("x+77", "77+x")
    assert not answers.same_answer("x+78", "77+x")
    assert answers.same_answer("77 + x", "77+x")
    assert answers.same_answer("2 2/3", r"\frac{8}{3}")


def test_a_killed_worker_is_replaced(answers: ModuleType, grader: ModuleType) -> None:
    assert answers.same_answer("x+5", "5+x")
    for worker in list(grader.POOLS[os.getpid()].queue):
        if worker is not None:
            os.killpg(worker.process.pid, 9)
    answers.same_answer("x+6", "6+x")  # it finds the channel closed
    assert answers.same_answer("x+7", "7+x")


def test_workers_end_with_the_process_that_started_them(project: Path) -> None:
    code = (
        "import os, sys, answers, math_grader\n"
        "assert answers.same_answer('x+1', '1+x')\n"
        "print(*(w.process.pid for w in math_grader.POOLS[os.getpid()].queue if w), flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == -9, done.stderr
    (pid,) = map(int, done.stdout.split())
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()


def test_a_fork_has_workers_of_its_own(answers: ModuleType, grader: ModuleType) -> None:
    assert answers.same_answer("x+8", "8+x")
    child = os.fork()
    if child == 0:
        right = answers.same_answer("x+9", "9+x") and not answers.same_answer("x+9", "10+x")
        right = right and len(grader.POOLS) == 2
        grader.stop_all()
        os._exit(0 if right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert answers.same_answer("x+10", "10+x")


def test_what_a_library_prints_is_no_reply(project: Path, tmp_path: Path) -> None:
    worker = (project / "math_worker.py").read_text("utf-8")
    head, line = worker, "    found, wanted = values("
    noise = '    print(\'{"number": null, "result": false}\', flush=True)\n'
    noisy = head.replace(
        line, noise + noise.replace("print(", "os.write(1, b").replace(", flush=True", "") + line
    )
    assert noisy != worker
    (tmp_path / "math_worker.py").write_text(noisy, "utf-8")
    (tmp_path / "math_grader.py").write_text(
        (project / "math_grader.py").read_text("utf-8"), "utf-8"
    )
    code = (
        "from math_grader import same_mathematics as same\n"
        "assert same(('x+1',), ('1+x',), 0.0, 0.0) and not same(('x+2',), ('1+x',), 0.0, 0.0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
