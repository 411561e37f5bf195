"""Real specs compiled into one project after the other, and what only they have."""

import fcntl
from pathlib import Path

import pytest

from compiler.apply import apply, mend, preview
from compiler.changes import Fate
from compiler.manifest import Compiled
from compiler.undo import undo
from compiler.unsettled import Locked
from tests.projects import SPEC
from tests.regeneration.folders import applied, files_of, new_project
from tests.regeneration.real_specs import compile_text


@pytest.fixture
def made(tmp_path: Path) -> Compiled:
    folder = tmp_path / "spec"
    folder.mkdir()
    return compile_text(folder, SPEC)


@pytest.fixture
def project(tmp_path: Path, made: Compiled) -> Path:
    folder = new_project(tmp_path / "project")
    applied(folder, made)
    return folder


def test_two_stages_say_what_they_were(project: Path, tmp_path: Path) -> None:
    text = SPEC.replace("warmup", "cold_start").replace("reasoning", "practice")
    for new, old in (("cold_start", "warmup"), ("practice", "reasoning")):
        text = text.replace(f"[stages.{new}]\n", f'[stages.{new}]\nwas = "{old}"\n')
        script = project / f"train_{old}.py"
        script.write_text(script.read_text().replace("logging_steps=10", "logging_steps=7"))
        (project / f"outputs/{old}/model").mkdir(parents=True)
    now = compile_text(tmp_path / "spec", text)
    changes = applied(project, now)
    assert changes.stages == {"warmup": "cold_start", "reasoning": "practice"}
    assert changes.paths(Fate.MERGED) == ["train_cold_start.py", "train_practice.py"]
    assert sorted(path.name for path in (project / "outputs").iterdir()) == [
        "cold_start",
        "practice",
    ]
    for name in ("cold_start", "practice"):
        script = (project / f"train_{name}.py").read_text()
        assert "logging_steps=7" in script
        assert f'"{name}"' in script
    assert applied(project, now).written == {}


def test_a_changed_weight_changes_only_the_lines_that_say_so(project: Path, tmp_path: Path) -> None:
    now = compile_text(tmp_path / "spec", SPEC.replace("correct = 1.0", "correct = 0.7"))
    changes = applied(project, now)
    changed: list[str] = []
    for change in changes.entries:
        assert change.before is not None
        assert change.after is not None
        old, new = (data.decode().splitlines() for data in (change.before, change.after))
        assert len(old) == len(new)
        changed += [line for line, other in zip(new, old, strict=True) if line != other]
    assert changed
    assert all("0.7" in line for line in changed), changed


def test_an_upgrade_changes_the_spec_in_the_same_step(project: Path, made: Compiled) -> None:
    before = files_of(project)
    now = made._replace(new_spec=b"spec = 1  # upgraded\n", stack="trl-9", spec_text="spec = 1\n")
    changes = applied(project, now)
    assert changes.written == {"task.toml": b"spec = 1  # upgraded\n"}
    assert (project / "task.toml").read_bytes() == b"spec = 1  # upgraded\n"
    undo(project, "task.toml")
    assert files_of(project) == before


def test_a_preview_waits_for_no_one_and_writes_nothing(project: Path, made: Compiled) -> None:
    before = files_of(project)
    assert preview(project, made).written == {}
    with (project / ".trainspec/lock").open("w+") as lock:
        lock.write("process 7 on elsewhere\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Locked, match="process 7 on elsewhere"):
            preview(project, made)
    (project / ".trainspec/lock").unlink()
    assert files_of(project) == before


def test_a_project_that_is_up_to_date_is_said_to_be_so(
    project: Path, made: Compiled, tmp_path: Path
) -> None:
    (project / "prompts.py").write_text("# mine\n")
    (project / "run.sh").unlink()
    assert not preview(project, made).out_of_date
    now = compile_text(tmp_path / "spec", SPEC.replace("correct = 1.0", "correct = 0.7"))
    assert preview(project, now).out_of_date
    apply(project, now)
    assert not preview(project, now).out_of_date


def test_where_nothing_was_broken_off_nothing_is_mended(project: Path, tmp_path: Path) -> None:
    before = files_of(project)
    assert mend(project) is None
    assert files_of(project) == before
    assert mend(new_project(tmp_path / "empty")) is None
    assert [path.name for path in (tmp_path / "empty").iterdir()] == ["task.toml"]
