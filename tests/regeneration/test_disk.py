"""What a disk may hold where a compile writes: links, folders, odd names, closed permissions."""

import errno
import os
import stat
import subprocess
from pathlib import Path

import pytest

from compiler.apply import apply, preview
from compiler.changes import Fate
from compiler.new_project import apply_into
from compiler.outcome import machine_lines
from compiler.undo import undo
from tests.regeneration.folders import applied, compiled, files_of, new_project, refusal, visible

TREE = {"a.py": "A = 1\nB = 1\n", "run.sh": "python a.py\n", "tests/test_a.py": "T = 1\n"}
NEXT = {"a.py": "A = 2\nB = 1\n", "run.sh": "python -u a.py\n", "tests/test_a.py": "T = 2\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = new_project(tmp_path / "mono repo" / "tâche ü")
    applied(folder, compiled(TREE))
    return folder


def test_permissions_stay_as_their_owner_set_them(project: Path) -> None:
    (project / "a.py").chmod(0o444)
    (project / "run.sh").chmod(0o644)
    applied(project, compiled(NEXT))
    assert stat.S_IMODE((project / "a.py").stat().st_mode) == 0o444
    assert stat.S_IMODE((project / "run.sh").stat().st_mode) == 0o644
    assert visible(project) == NEXT


def test_a_linked_file_gets_its_new_text_beside_it(project: Path) -> None:
    shared = project.parent / "shared.py"
    (project / "a.py").rename(shared)
    (project / "a.py").symlink_to(shared)
    changes = applied(project, compiled(NEXT))
    assert changes.paths(Fate.FOREIGN) == ["a.py"]
    assert changes.unsettled == ["a.py.new"]
    assert shared.read_text() == TREE["a.py"]
    assert (project / "a.py").is_symlink()
    (project / "a.py.new").unlink()
    assert applied(project, compiled(NEXT)).written == {}


def test_a_linked_folder_stops_only_what_would_be_written_there(project: Path) -> None:
    shared = project.parent / "shared"
    (project / "tests").rename(shared)
    (project / "tests").symlink_to(shared)
    changes = applied(project, compiled({**NEXT, "tests/test_a.py": "T = 1\n"}))
    assert changes.paths(Fate.KEPT) == ["tests/test_a.py"]
    before = files_of(project)
    assert "`tests` is a symbolic link" in refusal(lambda: apply(project, compiled(NEXT)))
    assert files_of(project) == before
    assert (shared / "test_a.py").read_text() == "T = 1\n"


def test_a_file_that_its_owner_made_a_folder_is_left_alone(project: Path) -> None:
    (project / "a.py").unlink()
    (project / "a.py").mkdir()
    (project / "a.py/mine.txt").write_text("mine")
    changes = applied(project, compiled(TREE))
    assert changes.paths(Fate.KEPT) == ["a.py"]
    changes = applied(project, compiled(NEXT))
    assert changes.paths(Fate.FOREIGN) == ["a.py"]
    assert (project / "a.py/mine.txt").read_text() == "mine"
    assert (project / "a.py.new").read_text() == NEXT["a.py"]


def test_a_folder_that_its_owner_made_a_file_is_left_alone(project: Path) -> None:
    (project / "tests/test_a.py").unlink()
    (project / "tests").rmdir()
    (project / "tests").write_text("mine")
    assert applied(project, compiled(TREE)).paths(Fate.KEPT) == ["tests/test_a.py"]
    assert "`tests` is not a folder" in refusal(lambda: apply(project, compiled(NEXT)))
    assert (project / "tests").read_text() == "mine"


def test_the_compiler_makes_a_folder_of_a_file_and_back(project: Path) -> None:
    folder = {"a.py/part.py": "P = 1\n", "run.sh": TREE["run.sh"], "tests": "now a file\n"}
    before = files_of(project)
    applied(project, compiled(folder))
    assert visible(project) == folder
    undo(project, "task.toml")
    assert files_of(project) == before
    applied(project, compiled(folder))
    applied(project, compiled(TREE))
    assert files_of(project) == before


def test_a_folder_that_holds_something_of_its_owners_makes_no_room(project: Path) -> None:
    (project / "tests/mine.py").write_text("mine\n")
    made = compiled({"a.py": TREE["a.py"], "tests": "now a file\n"})
    changes = applied(project, made)
    assert changes.paths(Fate.FOREIGN) == ["tests"]
    assert (project / "tests/mine.py").read_text() == "mine\n"
    assert (project / "tests.new").read_text() == "now a file\n"


def test_names_that_differ_in_case_or_in_the_spelling_of_an_accent_meet(project: Path) -> None:
    (project / "Rewards.py").write_text("mine\n")
    (project / "re\u0301sume\u0301.md").write_text("mine\n")
    made = compiled({**TREE, "rewards.py": "x = 1\n", "r\u00e9sum\u00e9.md": "theirs\n"})
    said = refusal(lambda: apply(project, made))
    assert "`Rewards.py` differs from it only in case" in said
    assert "cannot be written" in said.splitlines()[1]


def test_names_with_blanks_and_letters_of_any_kind(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    names = {"a file.md": "1\n", "日本/ключ.md": "2\n", "e\u0301.md": "3\n"}
    applied(project, compiled(names))
    assert visible(project) == names
    applied(project, compiled(dict.fromkeys(names, "new\n")))
    assert set(visible(project).values()) == {"new\n"}


@pytest.mark.parametrize("form", ["crlf", "mixed", "bom", "unended"])
def test_the_form_of_an_edited_file_stays(project: Path, form: str) -> None:
    forms = {
        "crlf": b"A = 1\r\nB = 1\r\nMINE = 1\r\n",
        "mixed": b"A = 1\r\nB = 1\nMINE = 1\r\n",
        "bom": b"\xef\xbb\xbfA = 1\nB = 1\nMINE = 1\n",
        "unended": b"A = 1\nB = 1\nMINE = 1",
    }
    (project / "a.py").write_bytes(forms[form])
    assert applied(project, compiled(NEXT)).is_settled
    assert (project / "a.py").read_bytes() == forms[form].replace(b"A = 1", b"A = 2")


@pytest.mark.parametrize("place", [".trainspec", ".trainspec/base"])
def test_a_file_in_the_place_of_the_state_is_named(tmp_path: Path, place: str) -> None:
    project = new_project(tmp_path / "p")
    (project / place).parent.mkdir(exist_ok=True)
    (project / place).write_text("mine")
    said = refusal(lambda: apply(project, compiled(TREE), here=True))
    assert f"`{place}`" in said
    assert (project / place).read_text() == "mine"
    assert "error" in refusal(lambda: preview(project, compiled(TREE), here=True))


def test_a_folder_that_cannot_be_made_is_named_as_its_user_named_it(project: Path) -> None:
    with pytest.raises(OSError) as caught:  # noqa: PT011  # its errno depends on the system
        apply_into(project, Path("/proc/x"), {"task.toml": b""}, compiled(TREE))
    assert caught.value.filename == "/proc/x"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_closed_folder_stops_everything(project: Path) -> None:
    before = files_of(project)
    (project / "tests").chmod(0o555)
    with pytest.raises(PermissionError):
        apply(project, compiled(NEXT))
    (project / "tests").chmod(0o755)
    assert files_of(project) == before


def test_of_a_rename_that_fails_the_end_that_is_known_is_named() -> None:
    told = (".trainspec/staged/new-3", None, "tests/test_a.py")
    error = PermissionError(errno.EACCES, "Permission denied", *told)
    assert machine_lines(error) == ["error: permission denied: `tests/test_a.py`"]
    told = (told[2], None, told[0])
    error = PermissionError(errno.EACCES, "Permission denied", *told)
    assert machine_lines(error) == ["error: permission denied: `tests/test_a.py`"]


def test_a_lock_needs_no_room_on_the_disk(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    assert applied(project, compiled(NEXT)).written
    assert not (project / ".trainspec/lock").exists()


def test_what_git_ignores_or_has_not_seen_makes_no_difference(project: Path) -> None:
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C"]
    root = project.parent
    (root / ".gitignore").write_text("*.py\n")
    (root / "dirty.txt").write_text("dirty")
    subprocess.run([*git, str(root), "init", "--quiet"], check=True)
    subprocess.run([*git, str(root), "add", ".gitignore"], check=True)
    (project / "a.py").write_text("A = 1\nB = 5\n")
    assert applied(project, compiled(NEXT)).paths(Fate.MERGED) == ["a.py"]
    assert (project / "a.py").read_text() == "A = 2\nB = 5\n"
    assert (root / "dirty.txt").read_text() == "dirty"
