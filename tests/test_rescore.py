"""rescore.py on tables that were made as TRL writes them."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.projects import SPEC, load, write_project

Prompt = list[dict[str, str]]

FORM = '[rewards.form]\nkind = "xml_format"\ntags = ["answer"]\nweight = 0.5\n'
TWO = SPEC.replace("[stages.warmup]", FORM + "[stages.warmup]", 1)
TEXTS = ("<answer>2</answer>", "so <answer>2</answer>", "<answer>3</answer>", "so 3")


def table(
    step: int, prompt: Prompt, texts: tuple[str, ...], **columns: list[float]
) -> dict[str, Any]:
    count = len(texts)
    return {
        "step": [step] * count,
        "prompt": [prompt] * count,
        "completion": [[{"role": "assistant", "content": text}] for text in texts],
        **columns,
    }


def write(project: Path, stage: str, *tables: dict[str, Any]) -> None:
    folder = project / "outputs" / stage / "completions"
    folder.mkdir(parents=True, exist_ok=True)
    for each in tables:
        path = folder / f"completions_{each['step'][0]:05d}.parquet"
        parquet.write_table(pa.table(each), path)


def prompt_of(project: Path, row: int) -> Prompt:
    return load(project, "data").load_train()[row]["prompt"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = write_project(tmp_path / "project", TWO)
    prompt = prompt_of(folder, 1)
    marks = {"correct": [1.0, 1.0, 0.0, 0.0], "old": [0.0, 0.0, 0.0, 1.0]}
    write(
        folder,
        "reasoning",
        table(1, prompt, TEXTS, **marks, advantage=[0.5, 0.5, -0.5, -0.5]),
        table(2, prompt, TEXTS[:1] * 4, **marks, advantage=[0.0, 0.0, 0.0, 0.0]),
        table(3, prompt, TEXTS, **marks, advantage=[1.0, 0.2, 0.1, -1.3]),
    )
    return folder


def said(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *more: str
) -> str:
    rescore = load(project, "rescore")
    monkeypatch.setattr(sys, "argv", ["rescore.py", *more])
    rescore.main()
    return capsys.readouterr().out


def test_the_mix_of_now_is_held_against_what_was_logged(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = said(project, capsys, monkeypatch).splitlines()
    assert lines[0] == "reasoning: 12 completions, 3 groups, steps 1-3"
    assert lines[1].split() == ["weight", "logged", "now", "paid", "spread"]
    # Right in 2, 4 and 2 of 4; well formed in 2, 4 and 2 of 4, which was not logged.
    assert lines[2].split() == ["correct", "1", "0.500", "0.667", "0.667", "0.333"]
    assert lines[3].split() == ["form", "0.5", "-", "0.667", "0.333", "0.167"]
    assert lines[4] == "groups without spread: 1 as logged, 1 now"
    # In the first group, the layout parts the two right ones and the two wrong ones.
    assert lines[5] == "groups in another order: 1, 2 of 18 pairs"


def test_an_edited_weight_shows_at_once(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = project / "rewards.py"
    path.write_text(re.sub(r"form: 0\.5", "form: 3", path.read_text()))
    lines = said(project, capsys, monkeypatch).splitlines()
    assert lines[3].split() == ["form", "3", "-", "0.667", "2.000", "1.000"]
    # The wrong one that is well formed is above the right one that is not, in two groups.
    assert lines[5] == "groups in another order: 2, 4 of 18 pairs"


def test_only_the_last_tables(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said_of_last = said(project, capsys, monkeypatch, "--last", "1")
    assert said_of_last.startswith("reasoning: 4 completions, 1 groups, steps 3-3\n")


def test_completions_of_no_row_are_counted_and_left_out(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = [{"role": "user", "content": "another question"}]
    write(project, "reasoning", table(4, stranger, TEXTS, advantage=[0.0] * 4))
    lines = said(project, capsys, monkeypatch).splitlines()
    assert lines[0] == "reasoning: 4 completions are of no row of the data"
    assert lines[1].startswith("reasoning: 12 completions")


def test_without_tables_it_says_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write_project(tmp_path / "project")
    with pytest.raises(SystemExit, match="write `log_completions_every` in"):
        said(project, capsys, monkeypatch)


def test_moving_weights_are_those_of_the_tables_step(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moving = TWO.replace("weight = 0.5", "weight = { from = 0.0, to = 1.0, steps = 10 }")
    project = write_project(tmp_path / "project", moving)
    write(
        project,
        "reasoning",
        table(1, prompt_of(project, 1), TEXTS, advantage=[0.5, 0.5, -0.5, -0.5]),
        table(11, prompt_of(project, 1), TEXTS, advantage=[0.5, 0.5, -0.5, -0.5]),
    )
    lines = said(project, capsys, monkeypatch).splitlines()
    assert lines[3].split() == ["form", "1", "-", "0.500", "0.250", "0.250"]
    assert lines[5] == "groups in another order: 1, 3 of 12 pairs"


def test_an_adaptive_weight_follows_the_log_of_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    adapt = "adapt = { below = 0.3, above = 0.8, up = 2, down = 0.5, min = 0.1, max = 4 }\n"
    project = write_project(
        tmp_path / "project", TWO.replace("weight = 0.5\n", f"weight = 0.5\n{adapt}")
    )
    prompt = prompt_of(project, 1)
    write(project, "reasoning", table(5, prompt, TEXTS, advantage=[0.5, 0.5, -0.5, -0.5]))
    assert said(project, capsys, monkeypatch).splitlines()[3].split()[1] == "0.5"
    log = [{"step": step, "rewards/form/mean": 0.1} for step in (2, 4, 6)]
    for step in (4, 6):
        checkpoint = project / f"outputs/reasoning/checkpoint-{step}"
        checkpoint.mkdir()
        state = {"global_step": step, "log_history": log[: step // 2]}
        (checkpoint / "trainer_state.json").write_text(str(state).replace("'", '"'))
    # Doubled in the windows that ended at 2 and 4; the one at 6 comes after the table's step.
    assert said(project, capsys, monkeypatch).splitlines()[3].split()[1] == "2"
    run = str({"log": log[:1]}).replace("'", '"')
    (project / "outputs/reasoning/run.json").write_text(run)
    assert said(project, capsys, monkeypatch).splitlines()[3].split()[1] == "1"


def test_rewards_that_are_normalized_first_are_compared_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = TWO + '[stages.reasoning.trainer]\nmulti_objective_aggregation = "normalize_then_sum"\n'
    project = write_project(tmp_path / "project", spec)
    texts = ("<answer>2</answer>", "so 3", "so 3", "so 3")
    # One of four is right and well formed: 1.5 standard deviations above the others' -0.5.
    advantages = [1.5 * 1.5, *[-0.5 * 1.5] * 3]
    write(project, "reasoning", table(1, prompt_of(project, 1), texts, advantage=advantages))
    rescore = load(project, "rescore")
    assert rescore.normalized([1.0, 0.0, 0.0, 0.0], [[0, 1, 2, 3]]) == pytest.approx(
        [1.5, -0.5, -0.5, -0.5], abs=1e-3
    )
    assert rescore.normalized([1.0, None, 3.0, None], [[0, 1, 2, 3]]) == pytest.approx(
        [-(0.5**0.5), None, 0.5**0.5, None], abs=1e-3
    )
    lines = said(project, capsys, monkeypatch).splitlines()
    assert lines[5] == "groups in another order: 0, 0 of 6 pairs"


def test_it_waits_for_no_torch(project: Path) -> None:
    code = "import sys, rescore; rescore.rows_by_prompt(); assert 'torch' not in sys.modules"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_tokens_are_counted_where_no_reward_reads_the_text(tmp_path: Path) -> None:
    spec = SPEC.replace("correct = 1.0\n", "overlong = 1.0\nrepetition = 0.5\n")
    spec = spec.replace('[answer]\nextract = "xml"\ntag = "answer"\n', "")
    spec = spec.replace('gold = { column = "answer" }\n', "")
    project = write_project(tmp_path / "project", spec)
    assert callable(load(project, "rescore").completion_text)
