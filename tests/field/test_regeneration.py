"""Threads about template-update tools, as whole compiles of a project that people edit."""

import subprocess
from pathlib import Path

import pytest

from compiler.apply import apply
from compiler.changes import Changes, Fate
from compiler.deciding import renames
from compiler.outcome import done_lines
from compiler.pipeline import Findings, check_file, compile_spec, plan_spec
from tests.projects import ROWS, SPEC
from tests.regeneration.folders import applied, compiled, files_of, new_project, refusal


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.jsonl").write_text(ROWS)
    compile_with(folder)
    return folder


def compile_with(project: Path, *changes: tuple[str, str]) -> Changes:
    """Compile the spec with these changes of its text; what is reported is what happens."""
    text = SPEC
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (project / "task.toml").write_text(text)
    return applied(project, compile_spec(plan_spec(read(project))))


def read(project: Path):  # noqa: ANN201  # a checked spec
    return check_file(project / "task.toml", [], Findings())


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


LESS = ("correct = 1.0", "correct = 0.7")
MORE = ("correct = 1.0", "correct = 0.9")


def test_field_143_a_change_that_does_not_fit_is_a_conflict_until_it_is_settled(
    project: Path,
) -> None:
    edit(project / "rewards.py", "correct: 1.0,", "correct: 0.5,")
    changes = compile_with(project, LESS)
    assert changes.unsettled == ["rewards.py"]
    assert "correct: 0.7," in (project / "rewards.py").read_text()
    before = files_of(project)
    for _ in range(2):
        said = refusal(lambda: compile_with(project, LESS))
        assert "`rewards.py` is not settled" in said
    assert files_of(project) == before


def test_field_144_an_untouched_file_is_the_new_one_byte_by_byte(
    project: Path, tmp_path: Path
) -> None:
    edit(project / "prompts.py", '"""', '"""My words. ')
    (project / "notes.md").write_text("mine\n")
    compile_with(project, LESS)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "train.jsonl").write_text(ROWS)
    compile_with(fresh, LESS)
    mine, new = files_of(project), files_of(fresh)
    assert {path for path in new if mine[path] != new[path]} == {"prompts.py"}


def test_field_146_what_git_ignores_is_left_alone(project: Path) -> None:
    mine = {".env": b"SECRET=1\n", "outputs/warmup/model/a.bin": b"\0\1", "data/rows.csv": b"a\n"}
    for path, data in mine.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_bytes(data)
    edit(project / ".gitignore", "outputs/", "outputs/\n.env\ndata/")
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)
    subprocess.run(["git", "-C", str(project), "add", "--all"], check=True)
    assert compile_with(project, LESS).is_settled
    assert {path: (project / path).read_bytes() for path in mine} == mine


def test_field_147_a_deleted_file_stays_deleted(project: Path) -> None:
    (project / "tests/test_rewards.py").unlink()
    for change in (LESS, ("[rewards]", "[rewards]\nxml_format = 0.2")):
        changes = compile_with(project, change)
        assert changes.paths(Fate.DELETED) == ["tests/test_rewards.py"]
        said = [line for line in done_lines("here", changes) if "test_rewards" in line]
        assert len(said) == 1
        assert "was deleted by you and stays deleted" in said[0]
        assert not (project / "tests/test_rewards.py").exists()
    made = compile_spec(plan_spec(read(project)))
    changes = applied(project, made, restore=["tests/test_rewards.py"])
    assert changes.paths(Fate.RESTORED) == ["tests/test_rewards.py"]


def test_field_149_a_file_that_its_owner_renamed_is_found_and_named(project: Path) -> None:
    (project / "rewards.py").rename(project / "my_rewards.py")
    edit(project / "my_rewards.py", '"""', '"""Mine: ')
    mine = (project / "my_rewards.py").read_bytes()
    changes = compile_with(project, LESS)
    assert not (project / "rewards.py").exists()
    assert (project / "my_rewards.py").read_bytes() == mine
    said = [line for line in done_lines("here", changes) if "`rewards.py`" in line]
    assert len(said) == 1
    assert "was deleted by you and stays deleted; `my_rewards.py` looks like it" in said[0]
    assert said[0].endswith("without what changed in this compile")


def test_field_149_a_file_that_trainspec_renamed_takes_the_edits_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = new_project(tmp_path / "project")
    applied(project, compiled({"grade.py": "A = 1\nB = 1\nC = 1\n"}))
    (project / "grade.py").write_text("A = 1\nB = 1\nC = 5\n")
    monkeypatch.setattr(renames, "RENAMED_FILES", {"grade.py": "rewards.py"})
    changes = applied(project, compiled({"rewards.py": "A = 2\nB = 1\nC = 1\n"}))
    assert changes.paths(Fate.RENAMED) == ["grade.py"]
    assert (project / "rewards.py").read_text() == "A = 2\nB = 1\nC = 5\n"
    assert not (project / "grade.py").exists()


def test_field_150_an_overlap_leaves_markers_in_the_one_file_and_nothing_else(
    project: Path,
) -> None:
    edit(project / "rewards.py", "correct: 1.0,", "correct: 0.5,")
    names = {path for path in files_of(project) if not path.startswith(".trainspec/")}
    compile_with(project, LESS)
    after = files_of(project)
    assert {path for path in after if not path.startswith(".trainspec/")} == names
    marked = {path for path, data in after.items() if b"<<<<<<< " in data}
    assert marked == {"rewards.py"}
    # Training refuses to start: the file is no Python until it is settled.
    with pytest.raises(SyntaxError):
        compile(after["rewards.py"], "rewards.py", "exec")


def test_field_152_a_setting_that_is_gone_leaves_no_trace(project: Path) -> None:
    before = files_of(project)
    changes = (
        ("[model]\n", '[model]\nadapter = { kind = "lora", r = 8 }\n'),
        ("[rewards]", '[run]\ntracking = "tensorboard"\n[rewards]'),
    )
    compile_with(project, *changes)
    assert b"peft" in (project / "pyproject.toml").read_bytes()
    assert b"tensorboard" in (project / "pyproject.toml").read_bytes()
    compile_with(project)
    assert files_of(project) == before
    # The schema names every value that a spec may have.
    assert [path for path, data in before.items() if b"tensorboard" in data] == [
        ".trainspec/task.schema.json"
    ]


def test_field_153_a_default_that_follows_from_another_value_moves_with_it(project: Path) -> None:
    base = project / "train_reasoning.py"
    before = base.read_text()
    changes = compile_with(project, ("0.5B", "7B"), ('tier = "cpu"', 'tier = "192gb"'))
    assert "train_reasoning.py" in changes.paths(Fate.UPDATED)
    change = next(change for change in changes.entries if change.path == "train_reasoning.py")
    assert change.before == before.encode()
    assert change.after == base.read_bytes() != change.before
    assert "PLAN.md" in changes.paths(Fate.UPDATED)
    compile_with(project)
    assert base.read_text() == before


def test_field_155_a_project_of_an_older_trainspec_is_merged_without_it(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    old = compiled({"data.py": "A = 1\nB = 1\nC = 1\n", "gone.py": "G = 1\n"})
    apply(project, old._replace(version="0.0.1"))
    # The oldest state notes neither stages nor the spec's text.
    (project / ".trainspec/spec.toml").unlink()
    (project / ".trainspec/manifest.json").write_text(
        '{"format": 1, "spec": "task.toml", "trainspec": "0.0.1", "stack": "trl-1.16"}\n'
    )
    (project / "data.py").write_text("A = 1\nB = 1\nC = 5\n")
    changes = applied(project, compiled({"data.py": "A = 2\nB = 1\nC = 1\n"}))
    assert changes.paths(Fate.MERGED) == ["data.py"]
    assert changes.paths(Fate.REMOVED) == ["gone.py"]
    assert (project / "data.py").read_text() == "A = 2\nB = 1\nC = 5\n"


@pytest.mark.parametrize("place", ["outside", "inside", "generated", "no git"])
def test_field_156_only_files_that_are_written_are_looked_at(project: Path, place: str) -> None:
    if place != "no git":
        subprocess.run(["git", "init", "--quiet", str(project.parent)], check=True)
        subprocess.run(["git", "-C", str(project.parent), "add", "--all"], check=True)
    dirty = {
        "outside": project.parent / "dirty.txt",
        "inside": project / "notes.txt",
        "generated": project / "prompts.py",
        "no git": project / "notes.txt",
    }[place]
    text = f"{dirty.read_text() if dirty.exists() else ''}\n\nMINE = 1\n"
    dirty.write_text(text)
    changes = compile_with(project, ('user = "{question}"', 'user = "Do {question}"'))
    assert changes.is_settled
    assert "MINE = 1" in dirty.read_text()
    merged = ["prompts.py"] if place == "generated" else []
    assert changes.paths(Fate.MERGED) == merged


def test_field_159_the_ignore_rules_change_like_any_other_text(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    applied(project, compiled({".gitignore": "*.pyc\n", "a.py": "A = 1\n"}))
    subprocess.run(["git", "init", "--quiet", str(project)], check=True)
    (project / ".gitignore").write_text("*.pyc\n*.log\n")
    changes = applied(project, compiled({".gitignore": "*\n*.pyc\n", "a.py": "A = 2\n"}))
    assert changes.is_settled
    assert (project / ".gitignore").read_text() == "*\n*.pyc\n*.log\n"
    assert (project / "a.py").read_text() == "A = 2\n"


def test_field_162_the_report_is_the_real_change(project: Path) -> None:
    edit(project / "rewards.py", "correct: 1.0,", "correct: 0.5,")
    edit(project / "README.md", "\n## What healthy", "\nMy words.\n\n## What healthy")
    (project / "run.sh").unlink()
    (project / "evaluate.py").write_text("mine\n")
    # `applied` compares the report with the disk, path by path and byte by byte.
    changes = compile_with(
        project,
        LESS,
        ("warmup", "cold_start"),
        ("gold = {", "eval = { holdout = 0.25 }\ngold = {"),
    )
    said = "\n".join(done_lines("here", changes))
    assert changes.paths(Fate.CONFLICT) == ["rewards.py"]
    assert changes.paths(Fate.MERGED) == ["README.md"]
    assert changes.paths(Fate.DELETED) == ["run.sh"]
    assert changes.paths(Fate.FOREIGN) == ["evaluate.py"]
    assert changes.paths(Fate.RENAMED) == ["train_warmup.py"]
    for path in ("rewards.py", "README.md", "run.sh", "evaluate.py", "train_warmup.py"):
        assert f"`{path}`" in said
