"""A process that dies at any change on the disk: the next command ends in the old or the new."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.apply import apply, mend, preview
from compiler.manifest import CompiledStage
from compiler.undo import undo
from tests.regeneration.folders import compiled, files_of, killed_at, new_project, refusal

ONE = compiled(
    {"a.py": "A = 1\nB = 1\n", "train_old.py": "STAGE = 1\nX = 1\n", "thing": "a file\n"},
    stages=[CompiledStage("old", "sft")],
)
# A merge, a conflict-free rename with its results, a file that becomes a folder, a file beside.
TWO = compiled(
    {
        "a.py": "A = 2\nB = 1\n",
        "train_new.py": "STAGE = 2\nX = 1\n",
        "thing/part.py": "a folder\n",
        "mine.py": "theirs = 1\n",
    },
    stages=[CompiledStage("new", "sft")],
)
MINE = {"a.py": "A = 1\nB = 5\n", "train_old.py": "STAGE = 1\nX = 7\n", "mine.py": "mine = 1\n"}


def prepared(folder: Path) -> Path:
    """A compiled and edited project with results."""
    project = new_project(folder)
    apply(project, ONE)
    for path, text in MINE.items():
        (project / path).write_text(text)
    (project / "outputs/old/checkpoint-1").mkdir(parents=True)
    (project / "outputs/old/checkpoint-1/model.bin").write_bytes(b"weights")
    return project


def compile_new(project: Path) -> object:
    return apply(project, TWO)


def compile_back(project: Path) -> object:
    return apply(project, ONE)


def prepared_for_back(folder: Path) -> Path:
    project = new_project(folder)
    apply(project, TWO._replace(tree={**TWO.tree, "new/deep/file.py": "x = 1\n"}))
    return project


def undo_the_last(project: Path) -> None:
    undo(project, "task.toml")


def prepared_for_undo(folder: Path) -> Path:
    project = prepared(folder)
    apply(project, TWO)
    return project


@pytest.mark.parametrize(
    ("prepare", "act"),
    [
        (prepared, compile_new),
        (prepared_for_back, compile_back),
        (prepared_for_undo, undo_the_last),
    ],
)
def test_the_next_command_ends_in_the_old_or_the_new(
    tmp_path: Path, prepare: Callable[[Path], Path], act: Callable[[Path], object]
) -> None:
    whole = prepare(tmp_path / "whole")
    old = files_of(whole)
    act(whole)
    new = files_of(whole)
    assert old != new
    outcomes: list[str] = []
    for step in range(1_000):
        project = prepare(tmp_path / str(step))
        died = killed_at(step, lambda: act(project))  # noqa: B023  # called at once
        mend(project)
        now = files_of(project)
        assert now in (old, new), step
        outcomes.append("old" if now == old else "new")
        if not died:
            break
    assert set(outcomes) == {"old", "new"}
    # Once it can be finished it is.
    assert outcomes == sorted(outcomes, reverse=True)


def half_done(folder: Path, step: int) -> Path:
    project = prepared(folder)
    killed_at(step, lambda: apply(project, TWO))
    return project


def test_its_owner_may_edit_what_a_dead_run_had_not_reached(tmp_path: Path) -> None:
    seen: set[str] = set()
    for step in range(1_000):
        project = half_done(tmp_path / str(step), step)
        path = project / "a.py"
        if not (project / ".trainspec/staged/journal.json").exists():
            if seen:
                break
            continue
        before = path.read_text()
        path.write_text("edited after the kill\n")
        seen.add(str(mend(project)))
        assert path.read_text() == "edited after the kill\n"
        names = {*files_of(project)}
        # Whichever way it went, the edits of the script and the results are there once.
        scripts = names & {"train_old.py", "train_new.py"}
        assert len(scripts) == 1
        assert "X = 7" in (project / scripts.pop()).read_text()
        assert len([name for name in names if name.endswith("model.bin")]) == 1
        assert before in (MINE["a.py"], "A = 2\nB = 5\n")
    assert seen == {"taken back", "finished"}


def test_a_kill_while_it_is_taken_back_is_mended(tmp_path: Path) -> None:
    broken = next(
        step
        for step in range(1_000)
        if not (half_done(tmp_path / f"at{step}", step) / "thing").is_file()
    )
    for step in range(1_000):
        project = half_done(tmp_path / str(step), broken)
        (project / "a.py").write_text("edited after the kill\n")
        died = killed_at(step, lambda: mend(project))  # noqa: B023  # called at once
        mend(project)
        assert (project / "a.py").read_text() == "edited after the kill\n", step
        assert (project / "train_old.py").read_text() == MINE["train_old.py"]
        assert (project / "thing").read_text() == "a file\n"
        assert (project / ".trainspec/base/thing").read_text() == "a file\n"
        if not died:
            break


def test_a_preview_says_that_a_run_was_broken_off_and_writes_nothing(tmp_path: Path) -> None:
    tries = (half_done(tmp_path / str(step), step) for step in range(1_000))
    project = next(each for each in tries if (each / ".trainspec/staged/journal.json").exists())
    before = files_of(project)
    assert "was broken off" in refusal(lambda: preview(project, TWO))
    assert files_of(project) == before


def test_a_disk_that_fails_at_any_step_leaves_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = os.replace
    old = files_of(prepared(tmp_path / "whole"))
    for step in range(100):
        project = prepared(tmp_path / str(step))
        calls = iter(range(1_000))

        def failing(source: Path, target: Path) -> None:
            if next(calls) == step:  # noqa: B023  # called at once
                raise OSError(28, "No space left on device", str(target))
            replace(source, target)

        monkeypatch.setattr(os, "replace", failing)
        try:
            apply(project, TWO)
        except OSError:
            monkeypatch.setattr(os, "replace", replace)
            mend(project)
            assert files_of(project) in (old, finished(tmp_path / f"new{step}"))
            continue
        monkeypatch.setattr(os, "replace", replace)
        assert step > 5
        return


def finished(folder: Path) -> dict[str, bytes]:
    project = prepared(folder)
    apply(project, TWO)
    return files_of(project)
