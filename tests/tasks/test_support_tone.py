"""Task 5 of the field: the tone of a help desk by DPO, from an export that is not clean."""

import re
import shutil
from pathlib import Path

import pytest

from tests.command_line import Run
from tests.projects import load

TASK = Path(__file__).parent / "support_tone"
EMPTY, EQUAL = {24, 25, 26}, {22, 23}  # positions in replies.csv


@pytest.fixture
def project(tmp_path: Path, run: Run) -> Path:
    """The task, compiled in a folder of its own."""
    shutil.copytree(TASK, tmp_path / "project")
    done = run("compile", "--here", str(tmp_path / "project" / "task.toml"))
    assert done.code == 0, done.err
    return tmp_path / "project"


def test_the_spec_is_right_and_short(run: Run) -> None:
    done = run("check", "--deny", "warnings", str(TASK / "task.toml"))
    assert done.code == 0, done.out
    lines = (TASK / "task.toml").read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 25


def test_it_is_a_project_of_preferences_alone(project: Path) -> None:
    written = {path.name for path in project.glob("*.py")}
    assert {"train_tone.py", "answer_report.py", "export.py"} <= written
    assert not written & {"rewards.py", "answers.py", "probes.py", "data_report.py", "rescore.py"}


def test_the_export_is_read_as_it_was_written(project: Path) -> None:
    rows = load(project, "data").load_tone_train().to_list()
    texts = "".join(row["prompt"][-1]["content"] for row in rows)
    texts += "".join(row[name][0]["content"] for row in rows for name in ("chosen", "rejected"))
    for sign in ("é", "ö", "€", "“", "\u2019", "É"):
        assert sign in texts
    assert 'Which tyre fits a 28" wheel?' in texts


def test_field_105_equal_and_empty_pairs_are_left_out_with_their_number(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = load(project, "data")
    train, held_out = data.load_tone_train(), data.load_tone_eval()
    numbers = {*train["row_number"], *held_out["row_number"]}
    assert numbers == set(range(27)) - EMPTY - EQUAL
    said = capsys.readouterr().out
    dropped = [int(count) for count in re.findall(r"(\d+) of \d+ pairs left out", said)]
    assert sum(dropped) == len(EMPTY | EQUAL)


def test_the_report_names_what_is_left_out(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = load(project, "stage_report")
    monkeypatch.setattr(report, "find_tokenizer", lambda: (None, []))
    with pytest.raises(SystemExit) as ended:
        report.main()
    assert ended.value.code == 0
    said = capsys.readouterr().out
    named = re.findall(r"warning: tone \w+: \d rows? left out: (.*): ([\d, ]+)", said)
    found = {what: set[int]() for what, _ in named}
    for what, numbers in named:
        found[what] |= {int(number) for number in numbers.split(", ")}
    assert found == {"an answer is empty": EMPTY, "both answers are the same": EQUAL}
