"""Two branches that both compiled: git merges them, and a compile then changes nothing."""

import subprocess
from pathlib import Path

import pytest

from compiler.apply import apply
from compiler.changes import Fate
from compiler.pipeline import Findings, check_file, compile_spec, plan_spec
from tests.projects import ROWS, SPEC
from tests.regeneration.folders import files_of, refusal

IDENTITY = ("-c", "user.name=x", "-c", "user.email=x@example.org")


def git(project: Path, *arguments: str) -> None:
    command = ["git", *IDENTITY, "-C", str(project), *arguments]
    subprocess.run(command, check=True, capture_output=True)


def compile_here(project: Path):  # noqa: ANN201  # the changes
    made = compile_spec(plan_spec(check_file(project / "task.toml", [], Findings())))
    return apply(project, made)


def change_spec(project: Path, old: str, new: str) -> None:
    text = (project / "task.toml").read_text()
    assert old in text
    (project / "task.toml").write_text(text.replace(old, new))


def commit(project: Path, message: str) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", message)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "task.toml").write_text(SPEC)
    (folder / "train.jsonl").write_text(ROWS)
    compile_here(folder)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    commit(folder, "first")
    return folder


def test_two_branches_that_compiled_merge_to_no_change(project: Path) -> None:
    git(project, "checkout", "--quiet", "-b", "weights")
    change_spec(project, "correct = 1.0", "correct = 0.7")
    compile_here(project)
    (project / "rewards.py").write_text((project / "rewards.py").read_text() + "\n\nMINE = 1\n")
    commit(project, "weights")
    git(project, "checkout", "--quiet", "main")
    change_spec(project, 'user = "{question}"', 'user = "Answer: {question}"')
    compile_here(project)
    (project / "notes.md").write_text("mine\n")
    commit(project, "prompt")
    git(project, "merge", "--quiet", "weights")
    before = files_of(project)
    changes = compile_here(project)
    assert changes.written == {}
    assert not changes.out_of_date
    assert changes.paths(Fate.KEPT) == ["rewards.py"]
    assert files_of(project) == before


def test_two_branches_with_conflicts_of_their_own_merge_to_both(project: Path) -> None:
    for branch, path, edit, spec in (
        ("one", "train_reasoning.py", ("num_generations=4", "num_generations=3"), ("= 4", "= 8")),
        ("two", "prompts.py", ("question", "problem"), ("{question}", "Do {question}")),
    ):
        git(project, "checkout", "--quiet", "-b", branch, "main")
        text = (project / path).read_text()
        assert edit[0] in text
        (project / path).write_text(text.replace(*edit))
        change_spec(project, *spec)
        assert compile_here(project).unsettled == [path]
        commit(project, branch)
    git(project, "merge", "--quiet", "one")
    said = refusal(lambda: compile_here(project))
    assert "`train_reasoning.py` is not settled" in said
    assert "`prompts.py` is not settled" in said
