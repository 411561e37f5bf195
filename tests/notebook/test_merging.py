"""A notebook that its owner has run, saved and edited, merged by cells with a new compile."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from compiler.merge import Labels, has_markers, merge_file
from tests.command_line import Run
from tests.projects import ROWS, SPEC, write_project

NOTEBOOK = SPEC.replace('name = "sums"', 'name = "sums"\nnotebook = true')
HEAVIER = NOTEBOOK.replace("correct = 1.0", "correct = 3.0")
Table = dict[str, Any]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    project = write_project(tmp_path_factory.mktemp("base") / "sums", NOTEBOOK)
    return (project / "notebook.ipynb").read_text()


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> str:
    project = write_project(tmp_path_factory.mktemp("new") / "sums", HEAVIER)
    return (project / "notebook.ipynb").read_text()


def merged(base: str, mine: str, new: str) -> tuple[Table, int]:
    result = merge_file("notebook.ipynb", base, mine.encode(), new, labels=Labels())
    assert result is not None
    nbformat.validate(nbformat.reads(result.data.decode(), as_version=4))
    return json.loads(result.data), result.conflicts


def cell(table: Table, name: str) -> Table:
    return next(each for each in table["cells"] if each["metadata"].get("id") == name)


def text_of(table: Table, name: str) -> str:
    return "".join(cell(table, name)["source"])


def edited(text: str, change: Callable[[Table], None], *, indent: int | None = 1) -> str:
    table = json.loads(text)
    change(table)
    return json.dumps(table, indent=indent) + "\n"


def run_in_colab(table: Table) -> None:
    """What Colab leaves: names in the metadata alone, outputs, counts, and metadata of its own."""
    table["nbformat_minor"] = 0
    table["metadata"]["colab"] = {"provenance": [], "collapsed_sections": ["the-machinery"]}
    for count, each in enumerate(table["cells"]):
        del each["id"]
        if each["cell_type"] == "code":
            each["execution_count"] = count
            each["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["Done\n"]}]
            each["metadata"]["outputId"] = f"run-{count}"


@pytest.mark.parametrize("indent", [None, 1, 2, 4])
def test_a_notebook_that_was_run_takes_new_cells_and_keeps_its_outputs(
    base: str, new: str, indent: int | None
) -> None:
    table, conflicts = merged(base, edited(base, run_in_colab, indent=indent), new)
    assert conflicts == 0
    assert "correct: 3.0" in text_of(table, "file-rewards")
    rewards = cell(table, "file-rewards")
    assert rewards["outputs"][0]["text"] == ["Done\n"]
    assert rewards["metadata"]["outputId"]
    assert table["metadata"]["colab"]["provenance"] == []


def test_a_merge_keeps_the_form_that_the_owner_saved_in(base: str, new: str) -> None:
    mine = edited(base, run_in_colab, indent=2).removesuffix("\n")
    result = merge_file("notebook.ipynb", base, mine.encode(), new, labels=Labels())
    assert result is not None
    assert result.data.startswith(b'{\n  "cells"')
    assert not result.data.endswith(b"\n")


def test_an_edit_in_a_written_file_is_merged_as_in_that_file(base: str, new: str) -> None:
    def edit(table: Table) -> None:
        source = cell(table, "file-rewards")["source"]
        at = next(n for n, line in enumerate(source) if "correct: 1.0" in line)
        source.insert(at, "        # what counts\n")
        source.append("\n\nEXTRA = 1")

    table, conflicts = merged(base, edited(base, edit), new)
    assert conflicts == 0
    source = text_of(table, "file-rewards")
    assert "# what counts\n        correct: 3.0," in source
    assert source.endswith("EXTRA = 1")


def test_cells_of_the_owner_stay_where_they_are(base: str, new: str) -> None:
    own = {"cell_type": "code", "id": "mine", "metadata": {}, "outputs": [], "source": ["1 + 1"]}
    own["execution_count"] = None

    def edit(table: Table) -> None:
        names = [each["id"] for each in table["cells"]]
        table["cells"].insert(names.index("score") + 1, own)
        del table["cells"][names.index("curves") + 1]

    table, conflicts = merged(base, edited(base, edit), new)
    names = [each["id"] for each in table["cells"]]
    assert conflicts == 0
    assert names[names.index("score") + 1] == "mine"
    assert "curves" not in names


def test_cells_that_come_and_go_with_the_spec_leave_the_owners_in_place(
    base: str, tmp_path: Path
) -> None:
    spec = NOTEBOOK.replace('stages = ["warmup", "reasoning"]', "").replace(
        '[stages.warmup]\nmethod = "sft"\nprompts_per_step = 2\n', ""
    )
    spec = spec.replace("[answer]", "[eval]\nsamples = 1\n[answer]").replace(
        "[prompt]", "[data.eval]\nholdout = 0.25\n[prompt]"
    )
    project = write_project(tmp_path / "sums", spec)

    def edit(table: Table) -> None:
        cell(table, "run-warmup")["source"] = ["!python train_warmup.py"]
        cell(table, "talk")["source"].append("\n# later")

    table, conflicts = merged(base, edited(base, edit), (project / "notebook.ipynb").read_text())
    names = [each["id"] for each in table["cells"]]
    assert conflicts == 0
    assert "scores" in names
    assert "file-train_warmup" not in names
    assert "run-warmup" in names, "the owner has edited it"
    assert text_of(table, "talk").endswith("# later")


def test_a_conflict_stands_inside_its_cell(base: str, new: str) -> None:
    def edit(table: Table) -> None:
        lines = cell(table, "file-rewards")["source"]
        changed = [line.replace("correct: 1.0", "correct: 9.0") for line in lines]
        cell(table, "file-rewards")["source"] = changed

    result = merge_file("notebook.ipynb", base, edited(base, edit).encode(), new, labels=Labels())
    assert result is not None
    assert result.conflicts == 1
    nbformat.validate(nbformat.reads(result.data.decode(), as_version=4))
    source = text_of(json.loads(result.data), "file-rewards")
    assert "<<<<<<< yours\n        correct: 9.0,\n" in source
    assert "correct: 3.0,\n>>>>>>> this compile\n" in source
    assert has_markers(result.data.decode())
    assert not has_markers(base)


@pytest.mark.parametrize("broken", ["", "[]", "{", '{"cells": [], "nbformat": 3}', '{"cells": 1}'])
def test_what_is_no_notebook_is_merged_by_lines(base: str, new: str, broken: str) -> None:
    result = merge_file("notebook.ipynb", base, broken.encode(), new, labels=Labels())
    assert result is not None
    assert result.conflicts


def test_an_edited_project_puts_its_edits_into_the_notebook(folder: Path, run: Run) -> None:
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "task.toml").write_text(NOTEBOOK)
    assert run("compile").code == 0
    rewards = folder / "rewards.py"
    rewards.write_text(rewards.read_text().replace("correct: 1.0", "correct: 7.0"))
    late = run("compile", "--check")
    assert late.code == 1
    assert "a compile would change `notebook.ipynb`" in late.out
    assert run("compile").code == 0
    table = json.loads((folder / "notebook.ipynb").read_text())
    assert (
        text_of(table, "file-rewards") == f"%%writefile rewards.py\n{rewards.read_text()}".rstrip()
    )
    assert run("compile", "--check").code == 0
    before = (folder / "notebook.ipynb").read_bytes()
    assert run("compile").code == 0
    assert (folder / "notebook.ipynb").read_bytes() == before


def test_a_conflict_in_a_notebook_is_waited_for(folder: Path, run: Run) -> None:
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "task.toml").write_text(NOTEBOOK)
    assert run("compile").code == 0
    notebook = folder / "notebook.ipynb"
    notebook.write_text(notebook.read_text().replace("correct: 1.0", "correct: 9.0"))
    (folder / "task.toml").write_text(HEAVIER)
    assert run("compile").code == 3
    assert run("compile").code == 3
    table = json.loads(notebook.read_text())
    lines = text_of(table, "file-rewards").splitlines(keepends=True)
    marks = (
        "<<<<<<<",
        "|||||||",
        "=======",
        ">>>>>>>",
        "        correct: 1.0",
        "        correct: 9.0",
    )
    kept = [line for line in lines if not line.startswith(marks)]
    cell(table, "file-rewards")["source"] = kept
    notebook.write_text(json.dumps(table, indent=1))
    assert run("compile").code == 0
    assert "correct: 3.0" in notebook.read_text()


def test_there_and_back_again_gives_the_same_bytes(folder: Path, run: Run) -> None:
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "task.toml").write_text(NOTEBOOK)
    assert run("compile").code == 0
    rewards = folder / "rewards.py"
    rewards.write_text(rewards.read_text() + "\n\nMINE = 1\n")
    notebook = folder / "notebook.ipynb"
    notebook.write_text(edited(notebook.read_text(), run_in_colab))
    assert run("compile").code == 0
    before = notebook.read_bytes()
    assert b"MINE = 1" in before
    for spec in (HEAVIER, NOTEBOOK):
        (folder / "task.toml").write_text(spec)
        assert run("compile").code == 0
        assert (b"correct: 3.0" in notebook.read_bytes()) == (spec is HEAVIER)
    assert notebook.read_bytes() == before
    assert run("compile", "--check").code == 0


def test_a_notebook_comes_and_goes_with_its_key(folder: Path, run: Run) -> None:
    (folder / "train.jsonl").write_text(ROWS)
    (folder / "task.toml").write_text(NOTEBOOK)
    assert run("compile").code == 0
    (folder / "task.toml").write_text(SPEC)
    assert run("compile").code == 0
    assert not (folder / "notebook.ipynb").exists()
    assert "notebook" not in (folder / "README.md").read_text()
