"""A state that was lost or damaged is rebuilt from what is left, and says what it cannot know."""

import shutil
from pathlib import Path

import pytest

from compiler.adopt import adopt
from compiler.apply import apply
from compiler.changes import Fate
from compiler.outcome import adopted_lines
from tests.regeneration.folders import applied, compiled, files_of, new_project, refusal, visible

TREE = {"a.py": "A = 1\nB = 1\n", "b.py": "C = 1\n", "run.sh": "python a.py\n"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = new_project(tmp_path / "project")
    applied(folder, compiled(TREE))
    return folder


def test_a_lost_state_is_refused_with_the_way_out_and_rebuilt(project: Path) -> None:
    whole = files_of(project)
    shutil.rmtree(project / ".trainspec")
    said = refusal(lambda: apply(project, compiled(TREE)))
    assert "`trainspec adopt` rebuilds it" in said
    adopt(project, compiled(TREE))
    assert files_of(project) == whole
    applied(project, compiled({**TREE, "b.py": "C = 2\n"}))
    assert (project / "b.py").read_text() == "C = 2\n"


def test_what_cannot_be_known_is_said(project: Path) -> None:
    (project / "a.py").write_text("A = 1\nB = 7\n")
    (project / "run.sh").unlink()
    mine = visible(project)
    shutil.rmtree(project / ".trainspec")
    changes = adopt(project, compiled(TREE))
    assert visible(project) == mine
    said = "\n".join(adopted_lines("here", changes))
    assert "`a.py` differs from what was written last time: taken for edited by you" in said
    assert "`run.sh` is not there: taken for deleted by you" in said
    assert "cannot be known" in said
    changes = applied(project, compiled({**TREE, "a.py": "A = 2\nB = 1\n"}))
    assert changes.paths(Fate.DELETED) == ["run.sh"]
    assert (project / "a.py").read_text() == "A = 2\nB = 7\n"


@pytest.mark.parametrize(
    "name", ["manifest.json", "base/a.py", "spec.toml", "base/gone.py", "unsettled/a.py"]
)
def test_what_is_damaged_is_replaced_and_the_rest_is_used(project: Path, name: str) -> None:
    (project / "b.py").write_text("C = 1\nD = 4\n")
    place = project / ".trainspec" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"\xff\xfe")
    # The spec has changed since, so that this compile's texts are not those written last time.
    now = compiled({**TREE, "b.py": "C = 2\n"})
    said = refusal(lambda: apply(project, now))
    assert "damaged" in said
    assert "`trainspec adopt`" in said
    adopt(project, now)
    changes = applied(project, now)
    assert changes.paths(Fate.MERGED) == ["b.py"]
    assert (project / "b.py").read_text() == "C = 2\nD = 4\n"


def test_conflicts_that_git_left_in_the_state_are_damage(project: Path) -> None:
    base = project / ".trainspec/base/a.py"
    base.write_text("<<<<<<< HEAD\nA = 1\n=======\nA = 2\n>>>>>>> other\nB = 1\n")
    assert "`.trainspec/base/a.py` holds conflict markers" in refusal(
        lambda: apply(project, compiled(TREE))
    )
    adopt(project, compiled(TREE))
    assert base.read_text() == TREE["a.py"]


def test_what_waits_is_still_waited_for(project: Path) -> None:
    (project / "a.py").write_text("A = 5\nB = 1\n")
    (project / "c.py").write_text("mine\n")
    made = compiled({**TREE, "a.py": "A = 2\nB = 1\n", "c.py": "theirs\n"})
    assert applied(project, made).unsettled == ["a.py", "c.py.new"]
    shutil.rmtree(project / ".trainspec")
    adopt(project, made)
    said = refusal(lambda: apply(project, made))
    assert "`a.py` is not settled" in said
    assert "`c.py.new` is not settled" in said


def test_a_broken_run_whose_journal_is_unreadable_is_set_aside(project: Path) -> None:
    staged = project / ".trainspec/staged"
    staged.mkdir()
    (staged / "journal.json").write_text("{")
    (staged / "old-0").write_text("bytes of its owner's")
    assert "cannot be read" in refusal(lambda: apply(project, compiled(TREE)))
    changes = adopt(project, compiled(TREE))
    assert "`.trainspec/broken-off/`" in "\n".join(adopted_lines("here", changes))
    assert (project / ".trainspec/broken-off/old-0").read_text() == "bytes of its owner's"
    assert applied(project, compiled(TREE)).written == {}


def test_a_whole_state_is_left_alone(project: Path) -> None:
    before = files_of(project)
    assert "is whole" in refusal(lambda: adopt(project, compiled(TREE)))
    assert files_of(project) == before


def test_the_state_of_a_newer_trainspec_is_not_rebuilt(project: Path) -> None:
    manifest = project / ".trainspec/manifest.json"
    manifest.write_text('{"format": 99}')
    said = refusal(lambda: adopt(project, compiled(TREE)))
    assert "a newer trainspec has compiled this project" in said
    assert "adopt" not in said
    assert manifest.read_text() == '{"format": 99}'


def test_where_there_is_no_project_there_is_nothing_to_adopt(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    assert "no compiled project" in refusal(lambda: adopt(project, compiled(TREE)))
    assert [path.name for path in project.iterdir()] == ["task.toml"]


def test_what_stands_in_the_way_is_named_and_not_followed(project: Path) -> None:
    outside = project.parent / "outside.py"
    outside.write_text("A = 1\n")
    (project / ".trainspec/base/a.py").unlink()
    (project / ".trainspec/base/a.py").symlink_to(outside)
    assert "`.trainspec/base/a.py` is a symbolic link" in refusal(
        lambda: adopt(project, compiled(TREE))
    )
    assert outside.read_text() == "A = 1\n"
