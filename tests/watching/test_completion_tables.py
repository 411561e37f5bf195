"""What RLOO leaves of its completions, read as what GRPO leaves is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from tests.projects import SPEC, load, write_project

RLOO = (
    SPEC.replace('stages = ["warmup", "reasoning"]\n', "")
    .replace('[stages.warmup]\nmethod = "sft"\nprompts_per_step = 2\n', "")
    .replace('method = "grpo"', 'method = "METHOD"\nsteps = 4\nmax_completion_length = 4')
    .replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny")
    + "[run]\nlog_completions_every = 2\n"
)


def train(project: Path) -> None:
    write = "import pathlib, tiny_model; "
    write += "tiny_model.write_tiny_model(pathlib.Path('tiny'), ['1+1?', '<answer>2</answer>'])"
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": "tests",
    }
    for command in (["-c", write], ["train_reasoning.py"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]


def test_only_a_project_that_logs_completions_of_rloo_writes_them(tmp_path: Path) -> None:
    for name, spec, writes in (
        ("rloo", RLOO.replace("METHOD", "rloo"), True),
        ("grpo", RLOO.replace("METHOD", "grpo"), False),
        ("silent", RLOO.replace("METHOD", "rloo").partition("[run]")[0], False),
    ):
        project = write_project(tmp_path / name, spec)
        assert (project / "completion_tables.py").exists() is writes
        script = (project / "train_reasoning.py").read_text()
        assert ("CompletionTables(trainer)" in script) is writes


@pytest.mark.heavy
def test_the_tables_of_rloo_have_the_form_of_those_of_grpo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    schemas = {}
    for method in ("grpo", "rloo"):
        project = write_project(tmp_path / method, RLOO.replace("METHOD", method))
        train(project)
        paths = sorted((project / "outputs" / "reasoning" / "completions").iterdir())
        assert [path.name for path in paths] == [
            f"completions_0000{step}.parquet" for step in (2, 4)
        ]
        schemas[method] = parquet.read_schema(paths[-1]).remove_metadata()
        assert parquet.read_table(paths[-1]).num_rows == 8, "two prompts of four completions"
    assert schemas["grpo"] == schemas["rloo"]

    monkeypatch.setattr(sys, "argv", ["rescore.py"])
    load(project, "rescore").main()
    assert "16 completions, 4 groups, steps 2-4" in capsys.readouterr().out
    load(project, "report").main()
    assert "step 4, best" in (project / "outputs" / "report.html").read_text(encoding="utf-8")
