"""`compile --diff` and `--check`: what would change, why, and whether anything would."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from compiler.writing.lock import locked
from tests.command_line import SPEC, Run, files_of


def respell(folder: Path, *changes: tuple[str, str]) -> None:
    spec = (folder / "task.toml").read_text()
    for old, new in changes:
        assert spec.count(old) == 1
        spec = spec.replace(old, new)
    (folder / "task.toml").write_text(spec)


def causes(text: str) -> dict[str, list[str]]:
    """The files below each cause, by its line."""
    found: dict[str, list[str]] = {}
    for block in text.split("\n\n"):
        first, *rest = block.splitlines()
        if not all(line.startswith("  ") for line in rest):
            break
        found[first] = [line.strip() for line in rest]
    return found


def test_a_difference_is_grouped_by_the_lines_that_made_it(folder: Path, run: Run) -> None:
    run("compile")
    respell(folder, ("correct = 2.0", "correct = 1.5"), ("epochs = 1", "epochs = 2"))
    before = files_of(folder)
    done = run("compile", "--diff", "--format", "concise")
    assert done.code == 0
    assert causes(done.out) == {
        "task.toml:28: rewards.correct: 2.0 -> 1.5": ["PLAN.md", "rewards.py"],
        "task.toml:33: stages.warmup.epochs: 1 -> 2": ["PLAN.md", "train_warmup.py"],
    }
    assert files_of(folder) == before


def test_the_printed_difference_is_the_one_that_a_compile_makes(folder: Path, run: Run) -> None:
    run("compile")
    (folder / "README.md").write_text("mine\n")
    (folder / "report.txt").write_text("mine")
    respell(folder, ("steps = 20", "steps = 30"), ("xml_tags = 0.5\n", ""))
    printed = run("compile", "--diff").out
    copy = folder.parent / "copy"
    copy.mkdir()
    for path, data in files_of(folder).items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_bytes(data)
    subprocess.run(["git", "apply", "-"], input=printed, cwd=copy, text=True, check=True)
    assert run("compile").code == 0
    made = {p: data for p, data in files_of(folder).items() if not p.startswith(".trainspec/")}
    assert {p: data for p, data in files_of(copy).items() if p in made} == made


def test_every_path_is_named_with_what_becomes_of_it(folder: Path, run: Run) -> None:
    run("compile")
    (folder / "data.py").unlink()
    (folder / "run.sh").write_text("# mine\n" + (folder / "run.sh").read_text())
    (folder / "train_warmup.py").write_text("# mine\n" + (folder / "train_warmup.py").read_text())
    respell(
        folder,
        ('stages = ["warmup", "reasoning"]', 'stages = ["warmup", "more", "reasoning"]'),
        ("epochs = 1\n", 'epochs = 2\n\n[stages.more]\nmethod = "sft"\n'),
    )
    lines = run("compile", "--diff", "--format", "concise").out.split("\n\n")[-1].splitlines()
    fates = {line.split(" ", 1)[1].split(" ")[0]: line.split(" ", 1)[0] for line in lines}
    assert fates["data.py"] == "deleted"
    assert fates["run.sh"] == "merged"
    assert fates["train_warmup.py"] == "merged"
    assert fates["train_more.py"] == "new"
    assert fates["PLAN.md"] == "updated"
    run("compile")
    assert run("compile", "--diff", "--format", "concise").out.count("updated") == 0


def test_values_that_only_hold_together_are_one_cause(folder: Path, run: Run) -> None:
    run("compile")
    respell(
        folder,
        ('stages = ["warmup", "reasoning"]', 'stages = ["warmup", "more", "reasoning"]'),
        ("epochs = 1\n", 'epochs = 1\n\n[stages.more]\nmethod = "sft"\n'),
    )
    record = json.loads(run("compile", "--diff", "--format", "json").out)
    assert record["version"] == 1
    [project] = record["projects"]
    [cause] = project["causes"]
    assert cause["kind"] == "spec"
    assert [change["key"] for change in cause["changes"]] == ["project.stages", "stages.more"]
    assert [change["line"] for change in cause["changes"]] == [5, 35]
    assert "before" not in cause["changes"][1]
    assert "train_more.py" in cause["paths"]
    assert {"path": "train_more.py", "fate": "new"}.items() <= {
        key: value
        for file in project["files"]
        if file["path"] == "train_more.py"
        for key, value in file.items()
    }.items()
    assert project["out_of_date"] is True


def test_a_value_without_effect_is_said_to_change_no_file(folder: Path, run: Run) -> None:
    run("compile")
    respell(folder, ('extract = "xml"', 'extract = "xml"\nseveral = "last"'))
    respell(folder, ("steps = 20", "steps = 30"))
    assert causes(run("compile", "--diff", "--format", "concise").out) == {
        'task.toml:24: answer.several = "last" is new': ["changes no file"],
        "task.toml:38: stages.reasoning.steps: 20 -> 30": ["PLAN.md", "train_reasoning.py"],
    }


def test_a_comment_changes_nothing_and_a_named_file_is_a_cause(folder: Path, run: Run) -> None:
    run("compile")
    respell(folder, ("[rewards]\n", "# what is paid\n[rewards]\n"))
    assert run("compile", "--diff").out == ""
    assert run("compile", "--check").code == 0
    rows = (folder / "train.jsonl").read_text()
    (folder / "train.jsonl").write_text(rows + rows)
    assert run("compile", "--diff", "--format", "concise").out.startswith("no value of the spec: ")


@pytest.mark.parametrize("text", [None, "spec = ", "project = 3", "spec = 1"])
def test_without_the_last_spec_no_cause_is_made_up(
    folder: Path, run: Run, text: str | None
) -> None:
    run("compile")
    respell(folder, ("steps = 20", "steps = 30"))
    (folder / ".trainspec/spec.toml").unlink()
    if text is not None:
        (folder / ".trainspec/spec.toml").write_text(text)
    done = run("compile", "--diff", "--format", "concise")
    assert done.code == 0
    assert done.out.startswith("cannot be told: ")
    assert "updated train_reasoning.py" in done.out
    assert run("compile", "--check").code == 1
    assert run("compile").code == 0
    assert run("compile", "--check").code == 0


@pytest.mark.usefixtures("folder")
def test_an_up_to_date_project_has_no_difference(run: Run) -> None:
    run("compile")
    assert run("compile", "--diff").out == ""
    checked = run("compile", "--check")
    assert (checked.code, checked.out, checked.err) == (0, "", "up to date\n")


def test_edits_of_its_owner_are_no_drift(folder: Path, run: Run) -> None:
    run("compile")
    (folder / "train_warmup.py").write_text("# mine\n")
    (folder / "data.py").unlink()
    (folder / "mine.py").write_text("x = 1\n")
    assert run("compile", "--check").code == 0
    respell(folder, ("epochs = 1", "epochs = 2"), ("steps = 20", "steps = 30"))
    run("compile")
    (folder / "train_reasoning.py").write_text("# mine as well\n")
    (folder / "train_warmup.py").write_text("# mine\n")
    assert run("compile", "--check").code == 0


def test_a_project_behind_its_spec_is_out_of_date(folder: Path, run: Run) -> None:
    never = run("compile", "--check", "--format", "concise")
    assert never.code == 1
    assert never.out == "task.toml:1:1: error[out-of-date]: `task.toml` was never compiled\n"
    run("compile")
    respell(folder, ("steps = 20", "steps = 30"))
    before = files_of(folder)
    late = run("compile", "--check", "--format", "concise")
    assert late.code == 1
    assert late.out.startswith("task.toml:37:1: error[out-of-date]: ")
    assert "`train_reasoning.py`" in late.out
    assert late.err == "1 error\n"
    assert files_of(folder) == before
    run("compile")
    assert run("compile", "--check").code == 0


def test_drift_that_is_older_than_the_last_compile_is_found(folder: Path, run: Run) -> None:
    run("compile")
    # As a merge of two branches leaves it: the text that a compile wrote, of another branch's spec.
    for path in ("train_reasoning.py", ".trainspec/base/train_reasoning.py"):
        text = (folder / path).read_text().replace("max_steps=20", "max_steps=40")
        (folder / path).write_text(text)
    late = run("compile", "--check", "--diff")
    assert late.code == 1
    assert "-        max_steps=40," in late.out
    assert "error[out-of-date]" in late.err


def test_an_unsettled_project_is_neither_previewed_nor_up_to_date(folder: Path, run: Run) -> None:
    run("compile")
    script = folder / "train_reasoning.py"
    script.write_text(script.read_text().replace("max_steps=20", "max_steps=25"))
    respell(folder, ("steps = 20", "steps = 30"))
    assert "conflict train_reasoning.py" in run("compile", "--diff", "--format", "concise").out
    assert run("compile", "--check").code == 1
    assert run("compile").code == 3
    before = files_of(folder)
    for option in ((), ("--check",), ("--diff",)):
        done = run("compile", *option)
        assert done.code == 3
        assert "`train_reasoning.py`" in done.err
        assert done.out == ""
    assert files_of(folder) == before


def test_restore_brings_a_deleted_file_back(folder: Path, run: Run) -> None:
    run("compile")
    text = (folder / "data.py").read_text()
    (folder / "data.py").unlink()
    assert "`data.py` was deleted by you" in run("compile").err
    assert not (folder / "data.py").exists()
    assert run("compile", "--restore", "data.py").code == 0
    assert (folder / "data.py").read_text() == text
    assert run("compile", "--restore", "nothing.py").code == 3


def test_undo_takes_the_last_compile_back(folder: Path, run: Run) -> None:
    def project() -> dict[str, bytes]:
        files = files_of(folder)
        return {path: data for path, data in files.items() if "/undo/" not in path}

    run("compile")
    respell(folder, ("steps = 20", "steps = 30"))
    before = project()
    run("compile")
    assert project() != before
    assert run("compile", "--undo").code == 0
    assert project() == before
    assert run("compile", "--undo").code == 3


def test_adopt_rebuilds_a_lost_state(folder: Path, run: Run) -> None:
    run("compile")
    (folder / "data.py").write_text("# mine\n")
    (folder / ".trainspec/manifest.json").unlink()
    refused = run("compile")
    assert refused.code == 3
    assert "trainspec adopt" in refused.err
    assert run("adopt").code == 0
    assert (folder / "data.py").read_text() == "# mine\n"
    assert run("compile", "--check").code == 0


def test_a_lost_state_is_not_taken_for_none(folder: Path, run: Run) -> None:
    assert "adopt" not in run("compile", "--check").out
    run("compile")
    shutil.rmtree(folder / ".trainspec")
    checked = run("compile", "--check")
    assert checked.code == 1
    assert "is lost" in checked.out
    assert "`trainspec adopt` rebuilds" in checked.out


def test_both_ends_of_a_rename_point_the_same_way(folder: Path, run: Run) -> None:
    run("compile")
    (folder / "evaluate.py").write_bytes(b"\xff")
    (folder / "train_warmup.py").write_text((folder / "train_warmup.py").read_text() + "# mine\n")
    respell(folder, ('["warmup", "reasoning"]', '["first", "reasoning"]'), ("warmup]", "first]"))
    lines = run("compile", "--diff", "--format", "concise").out.splitlines()
    assert "renamed train_warmup.py -> train_first.py (your edits went along)" in lines
    assert "merged train_first.py <- train_warmup.py" in lines
    assert "foreign evaluate.py -> evaluate.py.new (it is not UTF-8)" in lines
    assert "beside evaluate.py.new" in lines


def test_a_value_that_is_gone_is_named(folder: Path, run: Run) -> None:
    run("compile")
    respell(folder, ("xml_tags = 0.5\n", ""))
    assert "^^^^^^^^^ `xml_tags` is gone" in run("compile", "--check").out


def test_a_command_that_is_told_can_be_pasted(folder: Path, run: Run) -> None:
    (folder / "task.toml").rename(folder / "my task.toml")
    assert "run `trainspec compile 'my task.toml'`" in run("compile", "--check", "my task.toml").out


def test_a_locked_project_does_not_keep_the_others(folder: Path, run: Run) -> None:
    other = folder.parent / "b"
    other.mkdir()
    for name in ("task.toml", "train.jsonl"):
        (other / name).write_bytes((folder / name).read_bytes())
    with locked(folder):
        done = run("compile", "task.toml", "../b/task.toml")
    assert done.code == 4
    assert "`task.toml`:\nerror: another compile" in done.err
    assert (other / "train_warmup.py").exists()


def test_several_projects_are_told_apart(folder: Path, run: Run) -> None:
    other = folder.parent / "b"
    other.mkdir()
    for name in ("task.toml", "train.jsonl"):
        (other / name).write_bytes((folder / name).read_bytes())
    run("compile", "task.toml", "../b/task.toml")
    respell(folder, ("steps = 20", "steps = 30"))
    printed = run("compile", "--diff", "--format", "concise", "task.toml", "../b/task.toml").out
    first, second = printed.split("# ../b/task.toml\n")
    assert first.startswith("# task.toml\ntask.toml:37: stages.reasoning.steps: 20 -> 30\n")
    assert second == "nothing to change\n\n"


@pytest.mark.parametrize("option", [(), ("--check",), ("--diff",)])
def test_many_specs_are_compiled_in_one_call(
    folder: Path, run: Run, option: tuple[str, ...]
) -> None:
    others = [folder.parent / name for name in ("b", "c")]
    for other in others:
        other.mkdir()
        for name in ("task.toml", "train.jsonl"):
            (other / name).write_bytes((folder / name).read_bytes())
    specs = ["task.toml", *(str(other / "task.toml") for other in others)]
    run("compile", *specs)
    respell(folder, ("steps = 20", "steps = 30"))
    (others[0] / "data.py").write_text((others[0] / "data.py").read_text() + "# mine\n")
    done = run("compile", *specs, *option)
    assert done.code == (1 if option == ("--check",) else 0)
    if option == ("--check",):
        assert done.out.count("error[out-of-date]") == 1
        assert done.err == "3 projects: 1 out of date\n"
    assert ("max_steps=30" in (folder / "train_reasoning.py").read_text()) is (option == ())


def test_a_wrong_spec_among_many_keeps_all_from_being_written(folder: Path, run: Run) -> None:
    (folder.parent / "b").mkdir()
    (folder.parent / "b/task.toml").write_text("spec = 1\n")
    done = run("compile", "task.toml", "../b/task.toml")
    assert done.code == 1
    assert "missing-key" in done.err
    assert set(files_of(folder)) == {"task.toml", "train.jsonl"}


def test_one_unsettled_project_does_not_keep_the_others(folder: Path, run: Run) -> None:
    other = folder.parent / "b"
    other.mkdir()
    (other / "task.toml").write_text(SPEC)
    (other / "train.jsonl").write_bytes((folder / "train.jsonl").read_bytes())
    (folder / "notes.txt").write_text("mine")
    done = run("compile", "task.toml", "../b/task.toml")
    assert done.code == 3
    assert "`task.toml`:\nerror: the folder holds more" in done.err
    assert "`notes.txt`" in done.err
    assert (other / "train_warmup.py").exists()
    assert run("compile", "--check", "task.toml", "../b/task.toml").code == 1
