"""The GSM8K example on the real rows: no row is lost or misread, and every stage trains on them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import write_project

ROOT = Path(__file__).parent.parent
ROWS = ROOT.parent / "shared" / "data" / "gsm8k"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with its hub sources replaced by the same rows beside the spec."""
    if not ROWS.is_dir():
        pytest.skip(f"the real rows are not there: {ROWS}")
    folder = tmp_path_factory.mktemp("gsm8k")
    lines = (ROOT / "examples" / "gsm8k" / "task.toml").read_text(encoding="utf-8").splitlines()
    paths = {"train": "train.jsonl", "eval": "test.jsonl"}
    for name, path in paths.items():
        shutil.copy(ROWS / path, folder / path)
        hub = next(n for n, line in enumerate(lines) if line.startswith(f"{name} = {{ hub"))
        lines[hub] = f'{name} = {{ path = "{path}" }}'
    rows = (folder / "train.jsonl").read_bytes()
    return write_project(folder, "\n".join(lines) + "\n", train__jsonl=rows)


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=project,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.heavy
def test_the_data_report_reads_all_rows_and_finds_nothing_wrong(project: Path) -> None:
    done = run(project, "data.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "train 7473 rows" in done.stdout
    assert "eval  1319 rows" in done.stdout
    assert "errors: 0, warnings: 1" in done.stdout, "only the tokenizer is not at hand"
    assert "ideal completions earn 1 from correct" in done.stdout


@pytest.mark.heavy
def test_every_gold_is_the_number_behind_the_marker(project: Path) -> None:
    code = (
        "import json, data\n"
        "rows = data.load_train().to_list() + data.load_eval().to_list()\n"
        "print(json.dumps([row['gold'] for row in rows]))"
    )
    done = run(project, "-c", code)
    assert done.returncode == 0, done.stderr
    golds = json.loads(done.stdout)
    lines = [
        json.loads(line)
        for name in ("train.jsonl", "test.jsonl")
        for line in (ROWS / name).read_text(encoding="utf-8").splitlines()
    ]
    assert len(golds) == len(lines) == 8792
    for gold, line in zip(golds, lines, strict=True):
        assert gold == line["answer"].split("#### ")[1]


@pytest.mark.heavy
def test_every_stage_trains_on_real_rows(project: Path) -> None:
    done = run(project, "-m", "pytest", "-q", "tests/test_smoke.py")
    assert done.returncode == 0, done.stdout[-3000:]
    assert "reasoning: trained 4 steps" in done.stdout
