"""The last compile taken back: bytes, permissions and folders as they were before it."""

import shutil
from pathlib import Path

import pytest

from compiler.apply import apply
from compiler.changes import Fate
from compiler.manifest import CompiledStage
from compiler.outcome import undone_lines
from compiler.undo import undo
from tests.regeneration.folders import compiled, files_of, new_project, refusal

ONE = {"a.py": "A = 1\nB = 1\n", "run.sh": "python a.py\n", "old/gone.md": "gone\n"}
TWO = {"a.py": "A = 2\nB = 1\n", "run.sh": "python b.py\n", "new/come.md": "come\n"}


def modes_of(project: Path) -> dict[str, int]:
    return {path: (project / path).stat().st_mode for path in files_of(project)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = new_project(tmp_path / "project")
    apply(folder, compiled(ONE))
    return folder


def test_everything_is_as_it_was_before(project: Path) -> None:
    (project / "a.py").write_text("A = 1\nB = 3\n")
    (project / "run.sh").chmod(0o700)
    files, modes = files_of(project), modes_of(project)
    changes = apply(project, compiled(TWO))
    assert changes.paths(Fate.MERGED) == ["a.py"]
    back = undo(project, "task.toml")
    assert (files_of(project), modes_of(project)) == (files, modes)
    assert not (project / "new").exists()
    assert {change.path: (change.before, change.after) for change in back.entries} == {
        change.path: (change.after, change.before)
        for change in changes.entries
        if change.is_written
    }
    assert "took the last compile back: 4 files as before it" in undone_lines(back)
    apply(project, compiled(TWO))
    assert (project / "a.py").read_text() == "A = 2\nB = 3\n"


def test_a_conflict_is_taken_back(project: Path) -> None:
    (project / "a.py").write_text("A = 5\nB = 1\n")
    files = files_of(project)
    assert apply(project, compiled(TWO)).unsettled == ["a.py"]
    undo(project, "task.toml")
    assert files_of(project) == files


def test_a_first_compile_is_taken_back_to_the_spec_alone(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    apply(project, compiled(ONE))
    undo(project, "task.toml")
    assert [path.name for path in project.iterdir()] == ["task.toml"]


def test_nothing_is_taken_back_twice(project: Path) -> None:
    apply(project, compiled(TWO))
    undo(project, "task.toml")
    before = files_of(project)
    assert "there is no compile to take back" in refusal(lambda: undo(project, "task.toml"))
    assert files_of(project) == before


def test_where_nothing_was_compiled_nothing_is_taken_back(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    assert "there is no compile to take back" in refusal(lambda: undo(project, "task.toml"))
    assert [path.name for path in project.iterdir()] == ["task.toml"]


def test_a_compile_that_changed_nothing_does_not_count(project: Path) -> None:
    before = files_of(project)
    apply(project, compiled(TWO))
    apply(project, compiled(TWO))
    undo(project, "task.toml")
    assert files_of(project) == before


@pytest.mark.parametrize("path", ["a.py", "new/come.md", "old/gone.md", ".trainspec/base/a.py"])
def test_what_changed_since_is_never_lost(project: Path, path: str) -> None:
    apply(project, compiled(TWO))
    (project / path).parent.mkdir(exist_ok=True)
    (project / path).write_text("mine\n")
    before = files_of(project)
    said = refusal(lambda: undo(project, "task.toml"))
    assert f"`{path}` has changed since the last compile" in said
    assert said.count("has changed") == 1
    assert files_of(project) == before


def test_what_the_compile_did_not_touch_may_have_changed(project: Path) -> None:
    apply(project, compiled({**ONE, "run.sh": "python c.py\n"}))
    (project / "a.py").write_text("mine\n")
    (project / "notes.txt").write_text("mine\n")
    undo(project, "task.toml")
    assert (project / "run.sh").read_text() == ONE["run.sh"]
    assert (project / "a.py").read_text() == "mine\n"


def test_the_compile_of_another_spec_is_not_taken_back(project: Path) -> None:
    apply(project, compiled(TWO))
    (project / "other.toml").write_text("spec = 1\n")
    before = files_of(project)
    assert "of `task.toml`, and not of `other.toml`" in refusal(lambda: undo(project, "other.toml"))
    assert files_of(project) == before


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "there is no folder" in refusal(lambda: undo(tmp_path / "typo", "task.toml"))


def test_a_record_that_cannot_be_read_is_told_with_a_way_out(project: Path) -> None:
    apply(project, compiled(TWO))
    (project / ".trainspec/undo/journal.json").write_text("{")
    said = refusal(lambda: undo(project, "task.toml"))
    assert "cannot be read" in said
    assert "adopt" not in said


@pytest.mark.parametrize("is_link", [True, False], ids=["link", "file"])
def test_what_stands_in_the_place_of_the_old_bytes_stops_nothing(
    project: Path, tmp_path: Path, *, is_link: bool
) -> None:
    place, elsewhere = project / ".trainspec/undo", tmp_path / "elsewhere"
    shutil.move(place, elsewhere)
    kept = files_of(elsewhere)
    if is_link:
        place.symlink_to(elsewhere)
    else:
        place.write_text("mine")
    before = files_of(project)
    apply(project, compiled(TWO))
    assert files_of(elsewhere) == kept
    undo(project, "task.toml")
    after = files_of(project)
    assert {path: after[path] for path in ONE} == {path: before[path] for path in ONE}


def test_old_bytes_that_were_damaged_are_not_put_back(project: Path) -> None:
    apply(project, compiled(TWO))
    kept = next((project / ".trainspec/undo").glob("old-*"))
    kept.write_text("damaged")
    before = files_of(project)
    assert "is not what was kept" in refusal(lambda: undo(project, "task.toml"))
    assert files_of(project) == before


def test_results_go_back_to_the_old_name_of_their_stage(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")

    def made(stage: str):  # noqa: ANN202  # a compiled project
        return compiled({f"train_{stage}.py": "x = 1\n"}, stages=[CompiledStage(stage, "sft")])

    apply(project, made("a"))
    (project / "outputs/a").mkdir(parents=True)
    (project / "outputs/a/model.bin").write_bytes(b"1")
    before = files_of(project)
    apply(project, made("b"))
    (project / "outputs/b/more.bin").write_bytes(b"2")
    undo(project, "task.toml")
    assert files_of(project) == {**before, "outputs/a/more.bin": b"2"}
    assert not (project / "outputs/b").exists()


def test_the_old_bytes_are_no_part_of_what_is_committed(project: Path) -> None:
    apply(project, compiled(TWO))
    assert (project / ".trainspec/undo/.gitignore").read_text() == "*\n"
