"""The row self-test of a compiled project: honest rows pass, and a broken grader is found."""

import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.projects import SPEC, load, write_project

GSM8K = Path(__file__).parents[2] / "shared" / "data" / "gsm8k"
IDEAL = '"<answer>{answer}</answer>"'
TAG = 'extract = "xml"\ntag = "answer"'
OPTIONS = 'gold = { column = "answer", as = "index" }\noptions = ["yes", "no", "not sure"]'
YES_NO = "".join(
    f'{{"question": "Is {n} even?", "answer": {n % 3}, "level": 1}}\n' for n in range(12)
)
DIVISORS = {n: ", ".join(str(d) for d in (1, 2, 3, 4) if n % d == 0) for n in range(12)}
SETS = "".join(
    f'{{"question": "Divisors of {n}?", "answer": "{found}"}}\n' for n, found in DIVISORS.items()
)


def spec_of(answer: str, ideal: str = "", rewards: str = "correct = 1.0") -> str:
    """Write a spec that reads answers so, with this ideal completion or a made one."""
    spec = SPEC.replace(TAG, answer).replace("correct = 1.0", rewards)
    return spec.replace(f"assistant = {IDEAL}\n", f"assistant = '''{ideal}'''\n" if ideal else "")


def rows_of(project: Path) -> list[dict[str, object]]:
    return load(project, "data").load_train().to_list()


def levels(probes: ModuleType) -> dict[str, str]:
    """What is demanded of `correct` under each probe, by what crafts it."""
    return {
        probe.craft.__name__: next(
            level for level in ("must", "must_not", "may") if "correct" in getattr(probe, level)
        )
        for probe in probes.PROBES
        if "correct" in (*probe.must, *probe.must_not, *probe.may)
    }


WAYS = {
    "xml": (TAG, "<answer>{answer}</answer>"),
    "xml-first": (f'{TAG}\nseveral = "first"', "<think>\nso\n</think>\n<answer>{answer}</answer>"),
    "xml-only": (f'{TAG}\nseveral = "only"', ""),
    "boxed": ('extract = "boxed"\ncompare = "number"', "so \\boxed{{{answer}}}."),
    "after": ('extract = "after"\nmarker = "####"', "{question}\n#### {gold}"),
    "json": ('extract = "json"\npath = "a.b"\ncompare = "number"', ""),
    "code": ('extract = "code"', ""),
    "last_number": ('extract = "last_number"\ncompare = "number"', "{question} It is {gold}"),
    "first-number": (
        'extract = "last_number"\ncompare = "number"\nseveral = "first"',
        "{gold}, as {level} shows",
    ),
    "whole": ('extract = "whole"', ""),
    "regex": ("extract = \"regex\"\npattern = 'is (?P<answer>\\d+)'", "It is {gold}"),
}


@pytest.mark.parametrize("way", WAYS)
def test_honest_rows_pass_whatever_the_way_of_reading(tmp_path: Path, way: str) -> None:
    project = write_project(tmp_path / "project", spec_of(*WAYS[way]))
    probes = load(project, "probes")
    assert probes.self_test("train", rows_of(project)) == []
    demanded = levels(probes)
    assert demanded["empty"] == "must_not"
    assert demanded["wrong"] == "must_not"
    assert demanded["echo"] == "may"
    assert demanded.get("surrounded") == {"whole": None, "regex": "may"}.get(way, "must")
    assert demanded["retracted"] == ("may" if way == "regex" else "must_not")
    marked = way.split("-", maxsplit=1)[0] in ("xml", "boxed", "after", "json", "code")
    assert demanded.get("cut") == ("must_not" if marked else None)
    assert demanded.get("cut_short") == (None if marked else "may")


def test_choices_and_sets_pass(tmp_path: Path) -> None:
    choice = spec_of('extract = "choice"').replace('gold = { column = "answer" }', OPTIONS)
    project = write_project(tmp_path / "choice", choice, train__jsonl=YES_NO)
    probes = load(project, "probes")
    assert probes.self_test("train", rows_of(project)) == []
    assert probes.every_answer(rows_of(project)[0], []) == "ANSWER: yes, no, not sure"
    sets = spec_of(f'{TAG}\ncompare = "set"', "<answer>{gold}</answer>")
    project = write_project(tmp_path / "sets", sets, train__jsonl=SETS)
    assert load(project, "probes").self_test("train", rows_of(project)) == []


def test_what_is_looked_for_anywhere_is_reported_and_not_demanded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spec_of(TAG, "<answer>{answer}</answer>", "correct = 1.0\ncontains = 0.1")
    project = write_project(tmp_path / "project", spec)
    probes = load(project, "probes")
    assert probes.self_test("train", rows_of(project)) == []
    said = capsys.readouterr().out
    assert "a right answer that is taken back is right by contains in 100.0%" in said
    assert "an echo of the prompt is right by contains in" in said


BROKEN = {
    "the last number anywhere": (
        "read_answer",
        lambda text: (text.replace("<", " ").replace(">", " ").split() or [None])[-1],
        "sentences around it",
    ),
    "a tag that is not closed": (
        "read_answer",
        lambda text: text.rpartition("<answer>")[2].partition("<")[0] or None,
        "cut off inside its answer",
    ),
    "the first tag": (
        "read_answer",
        lambda text: text.partition("<answer>")[2].partition("</answer>")[0] or None,
        "taken back",
    ),
    "a part is enough": ("same_answer", lambda answer, gold: gold in answer, "list of several"),
    "everything is the same": ("same_answer", lambda *_: True, "a row with another gold"),
    "nothing is something": ("score_correct", lambda *_: 1.0, "an empty completion"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_grader_that_pays_what_it_must_not_is_found(
    tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write_project(tmp_path / "project")
    probes = load(project, "probes")
    name, function, what = BROKEN[fault]
    monkeypatch.setattr(probes.rewards, name, function)
    findings = probes.self_test("train", rows_of(project))
    assert any(what in finding and "by `correct`" in finding for finding in findings), findings
    assert all(finding.startswith("error: train: ") for finding in findings)


def test_a_reward_that_checks_the_answer_is_tried_in_the_place_of_the_built_in_one(
    tmp_path: Path,
) -> None:
    code = "def close(completions, answer, **columns):\n    return [1.0 for _ in answer]\n"
    own = (
        '[rewards.own]\nkind = "python"\nfunction = "mine.py:close"\nrange = [0, 1]\n'
        "checks_answer = true"
    )
    project = write_project(tmp_path / "project", spec_of(TAG, "", own), mine__py=code)
    probes = load(project, "probes")
    assert set(probes.GRADERS) == {"read_answer", "own"}
    (finding,) = probes.self_test("train", rows_of(project))
    assert finding.startswith("error: train: 12 rows where an empty completion is right by `own`")


def test_many_rows_are_sampled_unless_all_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    report = load(write_project(tmp_path / "project"), "data_report")
    monkeypatch.setattr(report, "PROBED_ROWS", 5)
    tried: list[list[int]] = []

    def note(_: str, rows: list[dict[str, int]]) -> list[str]:
        tried.append([row["row_number"] for row in rows])
        return []

    monkeypatch.setattr(report.probes, "self_test", note)
    for options in ([], [], ["--all"]):
        monkeypatch.setattr(sys, "argv", ["data.py", *options])
        with pytest.raises(SystemExit):
            report.main()
    once, again, every = tried
    assert once == again
    assert len(set(once)) == 5
    assert every == list(range(12))
    assert "completions are tried on 5 of 12 rows; all: --all" in capsys.readouterr().out


@pytest.mark.heavy
def test_the_real_rows_of_gsm8k_raise_no_false_error(tmp_path: Path) -> None:
    if not GSM8K.is_dir():
        pytest.skip(f"the real rows are not there: {GSM8K}")
    shutil.copy(GSM8K / "test.jsonl", tmp_path / "test.jsonl")
    spec = spec_of('extract = "last_number"\ncompare = "number"', "{answer}").replace(
        'gold = { column = "answer" }',
        'gold = { column = "answer", after = "####" }\neval = { path = "test.jsonl" }',
    )
    rows = (GSM8K / "train.jsonl").read_bytes()
    project = write_project(tmp_path, spec, train__jsonl=rows)
    done = subprocess.run(
        [sys.executable, "data.py"], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "errors: 0" in done.stdout
    # The text before the marker nearly always ends in the gold, and so do some questions.
    assert "cut off before its last gold is right by correct in 96.3%: rows 0, 1, 2" in done.stdout
    assert "an echo of the prompt is right by correct in 1.6%: rows 121, 227, 240" in done.stdout
