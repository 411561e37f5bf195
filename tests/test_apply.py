"""A compiled tree meets a folder: what is written, what is kept, and what is refused."""

import fcntl
import os
import stat
from pathlib import Path

import pytest

from compiler.apply import apply, mend
from compiler.changes import Fate
from compiler.new_project import apply_into
from compiler.unsettled import Locked
from tests.regeneration.folders import (
    compiled,
    files_of,
    killed_at,
    new_project,
    refusal,
    visible,
)

TREE = {"README.md": "# one\n", "run.sh": "python train.py\n", "tests/test_data.py": "x = 1\n"}
NEXT = {"README.md": "# two\n", "stages.py": "y = 2\n", "docs/deep/page.md": "deep\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_project(tmp_path / "project")


def test_a_first_compile_writes_the_tree_and_its_state(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    assert visible(project) == TREE
    state = {path for path in files_of(project) if path.startswith(".trainspec/")}
    assert state == {
        *(f".trainspec/base/{path}" for path in TREE),
        ".trainspec/manifest.json",
        ".trainspec/spec.toml",
        ".trainspec/task.schema.json",
    }


def test_a_shell_script_may_be_run_and_nothing_else(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    assert (project / "run.sh").stat().st_mode & stat.S_IXUSR
    assert not (project / "README.md").stat().st_mode & stat.S_IXUSR


def test_compiling_twice_touches_nothing(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    before = {path: (project / path).stat().st_mtime_ns for path in files_of(project)}
    inodes = {path: (project / path).stat().st_ino for path in before}
    apply(project, compiled(TREE), here=False)
    assert {path: (project / path).stat().st_mtime_ns for path in files_of(project)} == before
    assert {path: (project / path).stat().st_ino for path in before} == inodes


def test_going_to_another_tree_and_back_gives_the_same_bytes(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    before = files_of(project)
    apply(project, compiled(NEXT), here=False)
    assert visible(project) == NEXT
    apply(project, compiled(TREE), here=False)
    assert files_of(project) == before
    assert not (project / "docs").exists()


def test_an_edited_file_whose_text_stays_is_kept(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    (project / "run.sh").write_text("mine\n")
    changes = apply(project, compiled({**TREE, "README.md": "# two\n"}), here=False)
    assert changes.paths(Fate.KEPT) == ["run.sh"]
    assert visible(project) == {**TREE, "README.md": "# two\n", "run.sh": "mine\n"}


def test_putting_the_base_back_takes_the_new_text(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    (project / "README.md").write_text("mine\n")
    (project / "README.md").write_bytes((project / ".trainspec/base/README.md").read_bytes())
    apply(project, compiled(NEXT), here=False)
    assert visible(project) == NEXT


def test_an_edit_that_equals_the_new_text_is_no_conflict(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    (project / "README.md").write_text(NEXT["README.md"])
    apply(project, compiled(NEXT), here=False)
    assert visible(project) == NEXT


def test_a_deleted_file_stays_deleted(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    (project / "README.md").unlink()
    for tree in ({**TREE, "README.md": "# two\n"}, TREE):
        changes = apply(project, compiled(tree), here=False)
        assert changes.paths(Fate.DELETED) == ["README.md"]
        assert not (project / "README.md").exists()


def test_a_file_that_is_no_longer_written_goes_unless_it_was_edited(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    (project / "run.sh").write_text("mine\n")
    changes = apply(project, compiled({"README.md": "# one\n"}), here=False)
    assert changes.paths(Fate.REMOVED) == ["tests/test_data.py"]
    assert changes.paths(Fate.ABANDONED) == ["run.sh"]
    assert visible(project) == {"README.md": "# one\n", "run.sh": "mine\n"}
    assert not (project / "tests").exists()


def test_line_ends_and_a_byte_order_mark_are_no_edit_and_stay(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    for path in files_of(project):
        text = (project / path).read_bytes().replace(b"\n", b"\r\n")
        (project / path).write_bytes(b"\xef\xbb\xbf" + text)
    before = files_of(project)
    apply(project, compiled(TREE), here=False)
    assert files_of(project) == before
    changes = apply(project, compiled(NEXT), here=False)
    assert changes.paths(Fate.UPDATED) == ["README.md"]
    assert set(visible(project)) == set(NEXT)
    assert (project / "README.md").read_bytes() == b"\xef\xbb\xbf# two\r\n"


def test_a_first_compile_in_a_used_folder_lists_and_writes_nothing(project: Path) -> None:
    (project / "notes").mkdir()
    (project / "notes/todo.txt").write_text("mine")
    (project / ".git").mkdir()
    before = files_of(project)
    said = refusal(lambda: apply(project, compiled(TREE), here=False))
    assert "`notes/`" in said
    assert "`run.sh`" in said
    assert "`--here`" in said
    assert ".git" not in said
    assert files_of(project) == before
    assert not (project / ".trainspec").exists()
    apply(project, compiled(TREE), here=True)
    assert visible(project) == {**TREE, "notes/todo.txt": "mine"}


def test_the_files_that_a_spec_names_are_no_others(project: Path) -> None:
    (project / "data").mkdir()
    (project / "data/train.csv").write_text("a\n")
    (project / "tiny-model").mkdir()
    (project / "tiny-model/config.json").write_text("{}")
    (project / ".git").mkdir()
    (project / ".git/HEAD").write_text("ref")
    named = ("data/train.csv", "tiny-model", "not/there.py")
    apply(project, compiled(TREE, named=named), here=False)
    assert set(TREE) < set(visible(project))


def test_a_file_beside_a_named_one_is_another(project: Path) -> None:
    (project / "data").mkdir()
    (project / "data/train.csv").write_text("a\n")
    (project / "data/more.csv").write_text("a\n")
    said = refusal(lambda: apply(project, compiled(TREE, named=("data/train.csv",)), here=False))
    assert "`data/more.csv`" in said
    assert "`data/train.csv`" not in said


def test_the_same_bytes_are_taken_over(project: Path) -> None:
    (project / "README.md").write_text(TREE["README.md"])
    changes = apply(project, compiled(TREE), here=True)
    assert changes.paths(Fate.TAKEN_OVER) == ["README.md"]
    apply(project, compiled(NEXT), here=False)
    assert visible(project) == NEXT


def test_nothing_is_written_through_a_symlinked_folder(project: Path) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (outside / "test_data.py").write_text("old")
    (project / "tests").symlink_to(outside)
    said = refusal(lambda: apply(project, compiled(TREE), here=True))
    assert "`tests` is a symbolic link" in said
    assert files_of(outside) == {"test_data.py": b"old"}
    assert not (project / "run.sh").exists()


def test_nothing_is_written_through_a_symlinked_file(project: Path) -> None:
    outside = project.parent / "outside.md"
    outside.write_text("old")
    (project / "README.md").symlink_to(outside)
    changes = apply(project, compiled(TREE), here=True)
    assert changes.paths(Fate.FOREIGN) == ["README.md"]
    assert outside.read_text() == "old"
    assert (project / "README.md").is_symlink()
    assert (project / "README.md.new").read_text() == TREE["README.md"]


def test_a_state_folder_behind_a_symlink_is_refused(project: Path) -> None:
    outside = project.parent / "outside"
    outside.mkdir()
    (project / ".trainspec").symlink_to(outside)
    assert "symbolic link" in refusal(lambda: apply(project, compiled(TREE), here=True))
    assert files_of(outside) == {}


def test_a_base_behind_a_symlink_is_refused(project: Path) -> None:
    apply(project, compiled(TREE), here=False)
    outside = project.parent / "outside"
    (project / ".trainspec/base").rename(outside)
    (project / ".trainspec/base").symlink_to(outside)
    before = files_of(outside)
    assert "symbolic link" in refusal(lambda: apply(project, compiled(NEXT), here=True))
    assert files_of(outside) == before


def test_a_folder_where_a_file_must_go_stays(project: Path) -> None:
    (project / "README.md").mkdir()
    changes = apply(project, compiled(TREE), here=True)
    assert changes.paths(Fate.FOREIGN) == ["README.md"]
    assert "`README.md` is a folder" in changes.entries[0].note
    assert (project / "README.md").is_dir()
    assert (project / "README.md.new").read_text() == TREE["README.md"]


def test_a_file_where_a_folder_must_go_is_named(project: Path) -> None:
    (project / "tests").write_text("mine")
    assert "`tests` is not a folder" in refusal(lambda: apply(project, compiled(TREE), here=True))


def test_a_name_that_differs_only_in_case_is_named(project: Path) -> None:
    (project / "Tests").mkdir()
    (project / "readme.md").write_text("mine")
    said = refusal(lambda: apply(project, compiled(TREE), here=True))
    assert "`Tests` differs from it only in case" in said
    assert "`readme.md` differs from it only in case" in said


@pytest.mark.parametrize(
    "path",
    ["../out.py", "/out.py", "a/../b.py", "", ".", "a//b.py", "a\\b.py", "a\0b", ".git/hooks/x",
     ".trainspec/manifest.json", ".Trainspec/x", "c:x"],
)  # fmt: skip
def test_a_path_that_leaves_the_project_is_a_bug(project: Path, path: str) -> None:
    with pytest.raises(ValueError, match=r"written at|not the compiler's"):
        apply(project, compiled({path: "x"}), here=True)
    assert set(files_of(project.parent)) == {"project/task.toml"}


@pytest.mark.parametrize("paths", [("a", "a/b"), ("a", "A"), ("A/b", "a/B")])
def test_paths_that_meet_are_a_bug(project: Path, paths: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="meets another path"):
        apply(project, compiled(dict.fromkeys(paths, "x")), here=True)


def test_a_second_compile_is_told_who_holds_the_lock(project: Path) -> None:
    (project / ".trainspec").mkdir()
    with (project / ".trainspec/lock").open("w+") as lock:
        lock.write("process 7 on elsewhere\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Locked, match="process 7 on elsewhere"):
            apply(project, compiled(TREE), here=False)
    assert visible(project) == {}
    apply(project, compiled(TREE), here=False)
    assert not (project / ".trainspec/lock").exists()


def test_a_file_that_changes_while_others_are_written_keeps_its_new_bytes(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(project, compiled(TREE), here=False)
    before = files_of(project)
    replace = os.replace

    def racing(source: Path, target: Path) -> None:
        replace(source, target)
        if Path(target) == project / ".trainspec/base/stages.py":
            (project / "README.md").write_text("just written by its user")

    monkeypatch.setattr(os, "replace", racing)
    said = refusal(lambda: apply(project, compiled({**TREE, **NEXT}), here=False))
    assert "`README.md` changed during the compile" in said
    assert files_of(project) == {**before, "README.md": b"just written by its user"}


def test_a_full_disk_leaves_everything_as_it_was(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(project, compiled(TREE), here=False)
    before = files_of(project)
    calls = iter(range(100))
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if next(calls) == 3:
            raise OSError(28, "No space left on device", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        apply(project, compiled(NEXT), here=False)
    assert files_of(project) == before


@pytest.mark.parametrize(
    ("first", "second"),
    [(None, TREE), (TREE, NEXT), (NEXT, TREE), (TREE, {"README.md": "# one\n"})],
)
def test_a_kill_at_any_step_is_mended_to_wholly_old_or_wholly_new(
    tmp_path: Path, first: dict[str, str] | None, second: dict[str, str]
) -> None:
    outcomes: set[str] = set()
    for step in range(1_000):
        project = tmp_path / str(step)
        project.mkdir()
        (project / "task.toml").write_text("spec = 1\n")
        if first is not None:
            apply(project, compiled(first), here=False)
        old = files_of(project)
        died = killed_at(step, lambda: apply(project, compiled(second), here=False))  # noqa: B023  # called at once
        mend(project)
        now = files_of(project)
        outcome = "old" if now == old else "new" if visible(project) == second else "mixed"
        assert outcome != "mixed", step
        assert not [path for path in now if "staged" in path or "journal" in path or "lock" in path]
        outcomes.add(outcome)
        apply(project, compiled(second), here=False)
        assert visible(project) == second
        if not died:
            break
    assert outcomes == {"old", "new"}


def broken_project(folder: Path, step: int) -> Path:
    folder.mkdir()
    (folder / "task.toml").write_text("spec = 1\n")
    apply(folder, compiled(TREE), here=False)
    killed_at(step, lambda: apply(folder, compiled(NEXT), here=False))
    return folder


def half_way(project: Path) -> bool:
    return not (project / "run.sh").exists() and (project / "README.md").read_text() == "# one\n"


def test_a_kill_while_a_broken_run_is_taken_back_is_mended_too(tmp_path: Path) -> None:
    broken = next(
        step for step in range(1_000) if half_way(broken_project(tmp_path / f"at{step}", step))
    )
    for step in range(1_000):
        project = broken_project(tmp_path / str(step), broken)
        # Its user edits what the run has not reached, so that it can only go back.
        (project / "README.md").write_text("edited now")
        died = killed_at(step, lambda: mend(project))  # noqa: B023  # called at once
        mend(project)
        assert visible(project) == {**TREE, "README.md": "edited now"}, step
        assert (project / ".trainspec/base/README.md").read_text() == "# one\n"
        if not died:
            break


def test_into_a_new_folder_brings_the_spec_and_the_files_it_names(project: Path) -> None:
    (project / "data").mkdir()
    (project / "data/train.csv").write_text("a\n")
    target = project.parent / "deep" / "new"
    made = compiled(TREE, named=("data/train.csv", "./tiny-model"))
    apply_into(project, target, {"task.toml": b"spec = 1\r\n"}, made)
    assert visible(target) == {**TREE, "data/train.csv": "a\n"}
    assert (target / "task.toml").read_bytes() == b"spec = 1\r\n"
    assert [path.name for path in target.parent.iterdir()] == ["new"]
    assert (target / "run.sh").stat().st_mode & stat.S_IXUSR
    before = files_of(target)
    apply(target, made, here=False)
    assert files_of(target) == before


def test_into_an_empty_folder_works_and_into_a_full_one_does_not(project: Path) -> None:
    target = project.parent / "new"
    target.mkdir()
    apply_into(project, target, {"task.toml": b"spec = 1\n"}, compiled(TREE))
    before = files_of(target)
    said = refusal(lambda: apply_into(project, target, {"task.toml": b""}, compiled(NEXT)))
    assert "is not empty" in said
    assert files_of(target) == before
    assert sorted(path.name for path in project.parent.iterdir()) == ["new", "project"]


def test_into_a_file_is_refused(project: Path) -> None:
    target = project.parent / "new"
    target.write_text("mine")
    assert "not a folder" in refusal(
        lambda: apply_into(project, target, {"task.toml": b""}, compiled(TREE))
    )


def test_into_a_folder_that_is_being_copied_is_refused(project: Path) -> None:
    (project / "data").mkdir()
    made = compiled(TREE, named=("data",))
    assert "copied" in refusal(
        lambda: apply_into(project, project / "data/new", {"task.toml": b""}, made)
    )
    assert list((project / "data").iterdir()) == []


def test_a_kill_while_a_new_folder_is_made_leaves_none(tmp_path: Path, project: Path) -> None:
    for step in range(1_000):
        target = tmp_path / f"new{step}"
        texts = {"task.toml": b""}
        died = killed_at(step, lambda: apply_into(project, target, texts, compiled(TREE)))  # noqa: B023  # called at once
        assert not target.exists() or visible(target) == TREE
        if not died:
            break


def test_a_named_file_where_the_tree_has_one_is_refused(project: Path) -> None:
    (project / "README.md").write_text("mine")
    target = project.parent / "new"
    made = compiled(TREE, named=("README.md",))
    assert "`README.md`" in refusal(lambda: apply_into(project, target, {"task.toml": b""}, made))
    assert not target.exists()
