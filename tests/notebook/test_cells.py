"""What a notebook holds: a valid file whose cells are the project's own files, and no more."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.command_line import command
from tests.projects import ROWS, SPEC, write_project

NOTEBOOK = SPEC.replace('name = "sums"', 'name = "sums"\nnotebook = true')
PAIRS = """
spec = 1
[project]
name = "tone"
notebook = true
[model]
base = "Qwen/Qwen2.5-0.5B-Instruct"
[hardware]
tier = "cpu"
[stages.tone]
method = "dpo"
steps = 2
data.train = { path = "data/pairs.csv" }
data.columns = { prompt = "q", chosen = "good", rejected = "bad" }
"""


def cells_of(project: Path) -> list[dict[str, Any]]:
    return json.loads((project / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]


def source_of(project: Path, name: str) -> str:
    return "".join(next(cell["source"] for cell in cells_of(project) if cell["id"] == name))


def written_by(project: Path) -> dict[str, str]:
    """The files that the cells write, as IPython ends them."""
    texts = ("".join(cell["source"]) for cell in cells_of(project))
    parted = (text.removeprefix("%%writefile ").partition("\n") for text in texts if "%%w" in text)
    return {path: f"{text}\n" for path, _, text in parted}


def test_the_notebook_is_valid_and_as_jupyter_writes_it(tmp_path: Path) -> None:
    project = write_project(tmp_path / "sums", NOTEBOOK)
    text = (project / "notebook.ipynb").read_text(encoding="utf-8")
    read = nbformat.reads(text, as_version=4)
    nbformat.validate(read)
    assert nbformat.writes(read) + "\n" == text
    assert (read.nbformat, read.nbformat_minor) == (4, 5)
    assert all(not cell.get("outputs") for cell in read.cells)


def test_each_file_that_the_scripts_need_is_written_byte_for_byte(tmp_path: Path) -> None:
    mine = "def half(completions, **columns):\n    return [0.5 for _ in completions]\n\n\n"
    own = '[rewards.half]\nkind = "python"\nfunction = "mine.py:half"\nrange = [0, 1]\nweight = 1.0'
    spec = NOTEBOOK.replace("[stages.warmup]", f"{own}\n[stages.warmup]")
    project = write_project(tmp_path / "sums", spec, mine__py=mine)
    written = written_by(project)
    for path, text in written.items():
        assert (project / path).read_text(encoding="utf-8") == text, path
    others = {"train.jsonl", "report.css", "pyproject.toml"}
    assert set(written) == {path.name for path in project.glob("*.py")} | others


def test_every_module_that_a_cell_imports_is_written_by_a_cell(tmp_path: Path) -> None:
    written = written_by(write_project(tmp_path / "sums", NOTEBOOK))
    for path, text in written.items():
        for module in re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE):
            known = f"{module}.py" in written or importlib.util.find_spec(module) is not None
            assert known, f"{path} imports {module}"


def test_a_project_without_the_key_has_no_trace_of_it(tmp_path: Path) -> None:
    project = write_project(tmp_path / "sums")
    assert not (project / "notebook.ipynb").exists()
    for path in project.rglob("*"):
        assert path.is_dir() or b"notebook" not in path.read_bytes(), path


def test_each_variable_that_run_sh_exports_is_set_in_the_notebook(tmp_path: Path) -> None:
    spec = NOTEBOOK.replace('tier = "cpu"', 'tier = "l4"')
    project = write_project(tmp_path / "sums", spec)
    exported = re.findall(r"^export (\w+)=", (project / "run.sh").read_text(), re.MULTILINE)
    assert len(exported) > 2
    settings = source_of(project, "settings")
    assert all(f"%env {name}=" in settings for name in exported)


def test_the_project_is_installed_from_its_own_file(tmp_path: Path) -> None:
    project = write_project(tmp_path / "sums", NOTEBOOK)
    names = [cell["id"] for cell in cells_of(project)]
    assert names.index("file-pyproject-toml") < names.index("install") < names.index("rows")
    assert "%pip install --quiet ." in source_of(project, "install").splitlines()


def test_vllm_is_installed_where_it_samples(tmp_path: Path) -> None:
    spec = NOTEBOOK.replace('"cpu"', '"a100-80gb"\nrollout = { engine = "vllm-colocate" }')
    project = write_project(tmp_path / "sums", spec)
    assert "%pip install --quiet '.[vllm]'" in source_of(project, "install").splitlines()


def test_the_host_is_asked_for_the_gpu_of_the_plan(tmp_path: Path) -> None:
    spec = NOTEBOOK.replace('tier = "cpu"', 'tier = "l4"')
    table = json.loads((write_project(tmp_path / "l4", spec) / "notebook.ipynb").read_text())
    assert table["metadata"]["accelerator"] == "GPU"
    assert table["metadata"]["colab"]["gpuType"] == "L4"
    plain = json.loads((write_project(tmp_path / "cpu", NOTEBOOK) / "notebook.ipynb").read_text())
    assert "accelerator" not in plain["metadata"]


def test_the_machinery_is_folded_and_the_task_is_not(tmp_path: Path) -> None:
    project = write_project(tmp_path / "sums", NOTEBOOK)
    folded = {c["id"] for c in cells_of(project) if "_kg_hide-input" in c["metadata"]}
    assert "file-stages" in folded
    assert folded.isdisjoint({"file-rewards", "file-prompts", "file-answers", "file-data"})


def test_what_no_cell_can_hold_is_asked_for_by_name(tmp_path: Path) -> None:
    rows = ROWS.replace("0+0?", "é+0?").encode("latin-1")
    spec = NOTEBOOK.replace("train.jsonl", "rows of mine.jsonl").replace(
        'jsonl" }', 'jsonl", encoding = "latin-1" }'
    )
    project = write_project(tmp_path / "sums", spec, **{"rows of mine__jsonl": rows})
    assert '"rows of mine.jsonl",' in source_of(project, "uploads")
    assert "rows of mine.jsonl" not in written_by(project)


def test_preferences_are_shown_by_their_own_prompts(tmp_path: Path) -> None:
    (tmp_path / "tone" / "data").mkdir(parents=True)
    (tmp_path / "tone" / "data" / "pairs.csv").write_text("q,good,bad\nHi?,Hello,No\nBye?,Bye,No\n")
    project = write_project(tmp_path / "tone", PAIRS)
    assert "load_tone_train()" in source_of(project, "prompt")
    assert "!mkdir -p data" in source_of(project, "settings")
    assert "data/pairs.csv" in written_by(project)
    assert not {"score", "answer-score", "scores"} & {cell["id"] for cell in cells_of(project)}


def test_keys_of_services_are_asked_for(tmp_path: Path) -> None:
    judge = """[rewards.polite]
kind = "judge"
base_url = "https://models.example.org/v1"
model = "judge"
rubric = "Is it polite? {completion}"
scale = [1, 5]
api_key_env = "JUDGE_KEY"
max_calls = 100
weight = 1.0
[stages.warmup]"""
    spec = NOTEBOOK.replace("[stages.warmup]", judge)
    project = write_project(tmp_path / "sums", spec)
    assert '"JUDGE_KEY"' in source_of(project, "api-keys")


@pytest.mark.parametrize("name", ["a" * 64, "class_two"])
def test_names_of_any_length_give_cells_their_names(tmp_path: Path, name: str) -> None:
    spec = NOTEBOOK.replace("warmup", name)
    project = write_project(tmp_path / "sums", spec)
    nbformat.validate(nbformat.read(str(project / "notebook.ipynb"), as_version=4))


def test_odd_prose_stays_in_its_cell(tmp_path: Path) -> None:
    odd = 'notebook = true\ndescription = "```python run\\n!rm -rf x\\n```"'
    project = write_project(tmp_path / "sums", NOTEBOOK.replace("notebook = true", odd))
    plain = write_project(tmp_path / "plain", NOTEBOOK)
    assert [c["id"] for c in cells_of(project)] == [c["id"] for c in cells_of(plain)]


def test_ruff_finds_nothing_in_the_cells(tmp_path: Path) -> None:
    project = write_project(tmp_path / "sums", NOTEBOOK)
    for options in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *options, "--no-cache", "notebook.ipynb"],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


def test_changed_rows_put_the_notebook_out_of_date(tmp_path: Path) -> None:
    (tmp_path / "task.toml").write_text(NOTEBOOK)
    (tmp_path / "train.jsonl").write_text(ROWS)
    assert command("compile", "task.toml", cwd=tmp_path).returncode == 0
    assert command("compile", "--check", "task.toml", cwd=tmp_path).returncode == 0
    (tmp_path / "train.jsonl").write_text(ROWS.replace("0+0?", "What is 0+0?"))
    late = command("compile", "--check", "task.toml", cwd=tmp_path)
    assert late.returncode == 1
    assert "`notebook.ipynb`" in late.stdout
