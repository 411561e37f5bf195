"""The agreed table of what becomes of a file, row by row, on trees of a few short files."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from compiler.apply import apply, preview
from compiler.changes import Fate, Fault
from compiler.deciding import renames
from compiler.manifest import Compiled, CompiledStage
from compiler.outcome import done_lines
from tests.regeneration.folders import applied, compiled, files_of, new_project, refusal, visible

SCRIPT = '''"""Train."""

import math

STEPS = 10
RATE = 0.1


def main() -> None:
    """Train."""
    print(STEPS, RATE, math.pi)
'''
TREE = {"train.py": SCRIPT, "README.md": "# one\n\ntext\n", "run.sh": "python train.py\n"}


def tree(**values: str) -> dict[str, str]:
    """The tree with other numbers in its script."""
    text = SCRIPT
    for name, value in values.items():
        text = re.sub(rf"(?m)^{name} = .*$", f"{name} = {value}", text)
    return {**TREE, "train.py": text}


def stage_tree(*stages: str) -> Compiled:
    """A project of stages, all trained by the same method."""
    files = {f"train_{name}.py": f'STAGE = "{name}"\nSTEPS = 10\nRATE = 1\n' for name in stages}
    files["run.sh"] = "".join(f"python train_{name}.py\n" for name in stages)
    return compiled(files, stages=[CompiledStage(name, "sft") for name in stages])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = new_project(tmp_path / "project")
    applied(folder, compiled(TREE))
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_untouched_is_the_new_text_byte_by_byte(project: Path) -> None:
    changes = applied(project, compiled({**tree(STEPS="20"), "README.md": "# two\n"}))
    assert changes.paths(Fate.UPDATED) == ["README.md", "train.py"]
    assert visible(project) == {**tree(STEPS="20"), "README.md": "# two\n"}


def test_edited_where_the_compiler_changed_nothing_stays(project: Path) -> None:
    edit(project / "train.py", "RATE = 0.1", "RATE = 0.5")
    mine = (project / "train.py").read_bytes()
    changes = applied(project, compiled({**TREE, "README.md": "# two\n"}))
    assert changes.paths(Fate.KEPT) == ["train.py"]
    assert (project / "train.py").read_bytes() == mine


def test_edited_by_both_in_different_things_is_merged(project: Path) -> None:
    edit(project / "train.py", "RATE = 0.1", "RATE = 0.5  # mine")
    changes = applied(project, compiled(tree(STEPS="20")))
    assert changes.paths(Fate.MERGED) == ["train.py"]
    assert changes.is_settled
    text = (project / "train.py").read_text()
    assert "STEPS = 20" in text
    assert "RATE = 0.5  # mine" in text
    assert applied(project, compiled(tree(STEPS="20"))).written == {}


def test_edited_by_both_in_the_same_thing_is_a_conflict_that_waits(project: Path) -> None:
    edit(project / "train.py", "STEPS = 10", "STEPS = 11")
    made = compiled({**tree(STEPS="20"), "README.md": "# two\n"})
    changes = applied(project, made)
    assert changes.paths(Fate.CONFLICT) == changes.unsettled == ["train.py"]
    assert not changes.is_settled
    assert "conflict in `train.py`" in "\n".join(done_lines("here", changes))
    text = (project / "train.py").read_text()
    assert all(line in text for line in ("<<<<<<< yours", "STEPS = 11", "STEPS = 20"))
    assert (project / "README.md").read_text() == "# two\n"
    before = files_of(project)
    for other in (made, compiled({**TREE, "README.md": "# three\n"})):
        for act in (apply, preview):
            said = refusal(lambda act=act, other=other: act(project, other))
            assert "`train.py` is not settled: it holds conflict markers" in said
            assert "README" not in said
    assert files_of(project) == before


@pytest.mark.parametrize("settled", ["STEPS = 11\n", "STEPS = 20\n", "STEPS = 15\n", None])
def test_a_settled_conflict_is_not_asked_again(project: Path, settled: str | None) -> None:
    edit(project / "train.py", "STEPS = 10", "STEPS = 11")
    made = compiled(tree(STEPS="20"))
    applied(project, made)
    if settled is None:
        (project / "train.py").unlink()
    else:
        (project / "train.py").write_text(SCRIPT.replace("STEPS = 10\n", settled))
    before = (project / "train.py").read_bytes() if settled else None
    assert applied(project, made).written == {}
    assert not (project / ".trainspec/unsettled").exists()
    # What the compiler changes from now on is merged with what was chosen.
    changes = applied(project, compiled(tree(STEPS="20", RATE="0.3")))
    assert changes.is_settled
    if before is not None:
        expected = before.decode().replace("RATE = 0.1", "RATE = 0.3")
        assert (project / "train.py").read_text() == expected


def test_markers_that_someone_else_left_are_never_merged_into(project: Path) -> None:
    markers = "<<<<<<< HEAD\nSTEPS = 11\n=======\nSTEPS = 12\n>>>>>>> other\n"
    edit(project / "train.py", "STEPS = 10\n", markers)
    before = files_of(project)
    said = refusal(lambda: apply(project, compiled(tree(RATE="0.3"))))
    assert "`train.py` cannot be written: it holds conflict markers" in said
    assert files_of(project) == before


def test_markers_that_the_compiler_wrote_as_text_stop_nothing(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    text = 'SYSTEM = """\n<<<<<<< yours\n>>>>>>> theirs\n"""\nRATE = 1\nSTEPS = 1\n'
    applied(project, compiled({"prompts.py": text}))
    edit(project / "prompts.py", "RATE = 1", "RATE = 2")
    changes = applied(project, compiled({"prompts.py": text.replace("STEPS = 1", "STEPS = 3")}))
    assert changes.paths(Fate.MERGED) == ["prompts.py"]


def test_deleted_stays_deleted_until_it_is_asked_for(project: Path) -> None:
    (project / "run.sh").unlink()
    for _ in range(2):
        changes = applied(project, compiled({**TREE, "run.sh": "python train.py --new\n"}))
        assert changes.paths(Fate.DELETED) == ["run.sh"]
        assert "`run.sh` was deleted by you" in "\n".join(done_lines("here", changes))
    changes = applied(project, compiled(TREE), restore=["./run.sh"])
    assert changes.paths(Fate.RESTORED) == ["run.sh"]
    assert visible(project) == TREE
    assert os.access(project / "run.sh", os.X_OK)


def test_a_deleted_folder_is_restored_with_all_that_was_in_it(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    made = compiled({"tests/a.py": "a = 1\n", "tests/b.py": "b = 1\n", "c.py": "c = 1\n"})
    applied(project, made)
    for path in ("tests/a.py", "tests/b.py", "c.py"):
        (project / path).unlink()
    assert applied(project, made, restore=["tests/"]).paths(Fate.RESTORED) == [
        "tests/a.py",
        "tests/b.py",
    ]
    assert not (project / "c.py").exists()


def test_what_differs_only_in_case_is_not_restored_over(project: Path) -> None:
    (project / "run.sh").rename(project / "Run.sh")
    before = files_of(project)
    said = refusal(lambda: apply(project, compiled(TREE), restore=["run.sh"]))
    assert "`Run.sh` differs from it only in case" in said
    assert files_of(project) == before


@pytest.mark.parametrize("path", ["run.sh", "other.py", "run", "../run.sh"])
def test_what_was_not_deleted_is_not_restored(project: Path, path: str) -> None:
    edit(project / "run.sh", "python", "python -u")
    before = files_of(project)
    said = refusal(lambda: apply(project, compiled(TREE), restore=[path]))
    assert f"`{path}` is no written file that you deleted" in said
    assert files_of(project) == before


def test_a_new_file_where_its_owner_has_one_goes_beside_it(project: Path) -> None:
    (project / "rewards.py").write_text("mine = 1\n")
    made = compiled({**TREE, "rewards.py": "new = 1\n"})
    changes = applied(project, made)
    assert changes.paths(Fate.FOREIGN) == ["rewards.py"]
    assert changes.unsettled == ["rewards.py.new"]
    assert visible(project) == {
        **TREE,
        "rewards.py": "mine = 1\n",
        "rewards.py.new": "new = 1\n",
    }
    for _ in range(2):
        assert "`rewards.py.new` is not settled" in refusal(lambda: apply(project, made))
    (project / "rewards.py.new").unlink()
    assert applied(project, made).paths(Fate.KEPT) == ["rewards.py"]
    edit(project / "rewards.py", "mine = 1\n", "mine = 1\nnew = 1\n")
    merged = applied(project, compiled({**TREE, "rewards.py": "new = 2\n"}))
    assert (project / "rewards.py").read_text() == "mine = 1\nnew = 2\n"
    assert merged.is_settled


def test_a_file_in_the_place_of_the_one_beside_is_never_overwritten(project: Path) -> None:
    (project / "rewards.py").write_text("mine = 1\n")
    (project / "rewards.py.new").write_text("mine too\n")
    before = files_of(project)
    said = refusal(lambda: apply(project, compiled({**TREE, "rewards.py": "new = 1\n"})))
    assert "`rewards.py.new`, which is there" in said
    assert files_of(project) == before


def test_what_is_no_text_is_not_merged_and_gets_the_new_text_beside_it(project: Path) -> None:
    (project / "README.md").write_bytes(b"\xff\xfe# eins\n")
    changes = applied(project, compiled({**TREE, "README.md": "# two\n"}))
    assert changes.paths(Fate.FOREIGN) == ["README.md"]
    assert (project / "README.md").read_bytes() == b"\xff\xfe# eins\n"
    assert (project / "README.md.new").read_text() == "# two\n"
    assert "it is not UTF-8" in "\n".join(done_lines("here", changes))


def test_the_very_text_that_is_written_is_taken_over(project: Path) -> None:
    (project / "data.py").write_text("x = 1\n")
    changes = applied(project, compiled({**TREE, "data.py": "x = 1\n"}))
    assert changes.paths(Fate.TAKEN_OVER) == ["data.py"]
    assert applied(project, compiled(TREE)).paths(Fate.REMOVED) == ["data.py"]


@pytest.mark.parametrize("says_so", [True, False])
def test_a_renamed_stage_takes_its_edits_and_results_along(tmp_path: Path, says_so: bool) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup", "layout"))
    edit(project / "train_warmup.py", "RATE = 1", "RATE = 3  # mine")
    (project / "train_warmup.py").chmod(0o755)
    (project / "outputs/warmup/checkpoint-5").mkdir(parents=True)
    (project / "outputs/warmup/checkpoint-5/model.bin").write_bytes(b"\0\1")
    made = stage_tree("cold_start", "layout")
    if says_so:
        came = CompiledStage("cold_start", "grpo", "warmup")
        made = made._replace(stages=(came, made.stages[1]))
    changes = applied(project, made)
    assert changes.stages == {"warmup": "cold_start"}
    assert changes.paths(Fate.RENAMED) == ["train_warmup.py"]
    assert changes.paths(Fate.MERGED) == ["train_cold_start.py"]
    script = project / "train_cold_start.py"
    assert script.read_text() == 'STAGE = "cold_start"\nSTEPS = 10\nRATE = 3  # mine\n'
    assert os.access(script, os.X_OK)
    assert not (project / "train_warmup.py").exists()
    assert (project / "outputs/cold_start/checkpoint-5/model.bin").read_bytes() == b"\0\1"
    assert not (project / "outputs/warmup").exists()
    said = "\n".join(done_lines("here", changes))
    assert "stage `warmup` is now `cold_start`" in said
    assert "`train_warmup.py` is now `train_cold_start.py`; your edits went along" in said
    assert "moved `outputs/warmup` to `outputs/cold_start`" in said
    # It may say so for ever.
    assert applied(project, made).written == {}


def test_of_a_renamed_script_without_edits_none_are_told(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup"))
    said = done_lines("here", applied(project, stage_tree("cold_start")))
    assert "`train_warmup.py` is now `train_cold_start.py`" in said


def test_a_stage_of_another_method_is_another_stage(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup"))
    made = stage_tree("reasoning")._replace(stages=(CompiledStage("reasoning", "grpo"),))
    changes = applied(project, made)
    assert changes.stages == {}
    assert changes.paths(Fate.REMOVED) == ["train_warmup.py"]


@pytest.mark.parametrize(
    ("before", "after"),
    [(("a", "b"), ("c", "d")), (("a", "b"), ("c",)), (("a",), ("b", "c")), (("a",), ("a", "b"))],
)
def test_a_rename_that_is_not_certain_is_none(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree(*before))
    assert applied(project, stage_tree(*after)).stages == {}


def test_a_renamed_stage_whose_script_was_deleted_stays_deleted(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup"))
    (project / "train_warmup.py").unlink()
    changes = applied(project, stage_tree("cold_start"))
    assert changes.paths(Fate.DELETED) == ["train_cold_start.py"]
    assert applied(project, stage_tree("cold_start")).paths(Fate.DELETED) == ["train_cold_start.py"]


def test_a_script_that_its_owner_renamed_with_the_stage_is_merged_there(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup"))
    edit(project / "train_warmup.py", "RATE = 1", "RATE = 3")
    (project / "train_warmup.py").rename(project / "train_cold_start.py")
    changes = applied(project, stage_tree("cold_start"))
    assert changes.paths(Fate.MERGED) == ["train_cold_start.py"]
    text = (project / "train_cold_start.py").read_text()
    assert text == 'STAGE = "cold_start"\nSTEPS = 10\nRATE = 3\n'


def test_a_conflict_in_a_renamed_script_is_at_its_new_name(tmp_path: Path) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup"))
    edit(project / "train_warmup.py", '"warmup"', '"mine"')
    changes = applied(project, stage_tree("cold_start"))
    assert changes.paths(Fate.CONFLICT) == ["train_cold_start.py"]
    assert '"mine"' in (project / "train_cold_start.py").read_text()


@pytest.mark.parametrize("kind", ["linked", "taken"])
def test_results_that_cannot_follow_stay_and_are_named(tmp_path: Path, kind: str) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("warmup"))
    place = tmp_path / "disk" if kind == "linked" else project / "outputs"
    (place / "warmup").mkdir(parents=True)
    if kind == "linked":
        (project / "outputs").symlink_to(place)
    else:
        (place / "cold_start").mkdir()
    changes = applied(project, stage_tree("cold_start"))
    assert changes.moves == ()
    assert "`outputs/warmup` stays where it is" in "\n".join(done_lines("here", changes))
    assert (place / "warmup").is_dir()


def test_a_file_that_trainspec_renamed_takes_its_edits_along(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Renamed twice, and the release in between was skipped.
    table = {"train.py": "training.py", "training.py": "fit.py"}
    monkeypatch.setattr(renames, "RENAMED_FILES", table)
    edit(project / "train.py", "RATE = 0.1", "RATE = 0.5")
    now = {**TREE, "fit.py": tree(STEPS="20")["train.py"]}
    del now["train.py"]
    changes = applied(project, compiled(now))
    assert changes.paths(Fate.RENAMED) == ["train.py"]
    assert changes.paths(Fate.MERGED) == ["fit.py"]
    text = (project / "fit.py").read_text()
    assert "RATE = 0.5" in text
    assert "STEPS = 20" in text
    assert applied(project, compiled(now)).written == {}


def test_a_merge_that_breaks_what_neither_had_broken_is_told(project: Path) -> None:
    edit(project / "train.py", "RATE = 0.1", "RATE = 0.5")
    made = compiled(tree(STEPS="20"))

    def find(texts: Mapping[str, str]) -> list[Fault]:
        text = texts["train.py"]
        both = "STEPS = 20" in text and "RATE = 0.5" in text
        return [Fault("train.py", 5, "too fast"), Fault("run.sh", 1, "old")][: 2 if both else 0]

    changes = apply(project, made, find_faults=find)
    assert [fault.message for fault in changes.faults] == ["too fast", "old"]
    assert not changes.is_settled
    assert "too fast" in "\n".join(done_lines("here", changes))
    assert applied(project, made).is_settled


@pytest.mark.parametrize("path", ["mine.py", "tests/test_mine.py", "prompts.py"])
def test_what_a_compile_takes_from_its_owners_files_is_told(project: Path, path: str) -> None:
    before = compiled({**TREE, "rewards.py": "concise = 1\n"})
    applied(project, before)
    (project / path).parent.mkdir(exist_ok=True)
    with (project / path).open("a") as script:
        script.write("\nfrom rewards import concise\n")

    def find(texts: Mapping[str, str]) -> list[Fault]:
        gone = "concise = 1" not in texts.get("rewards.py", "")
        using = [name for name, text in texts.items() if "import concise" in text]
        return [Fault(name, 2, "no `concise`") for name in using if gone]

    changes = apply(project, compiled({**TREE, "rewards.py": "brief = 1\n"}), find_faults=find)
    assert [fault.path for fault in changes.faults] == [path]


def test_a_file_in_conflict_is_not_looked_at_before_it_is_settled(project: Path) -> None:
    applied(project, compiled({**TREE, "rewards.py": "limit = 1\n"}))
    (project / "rewards.py").write_text("limit = 2\nmine = 1\n")
    (project / "mine.py").write_text("from rewards import mine\n")

    def find(texts: Mapping[str, str]) -> list[Fault]:
        has = "mine = 1" in texts.get("rewards.py", "mine = 1")
        return [] if has else [Fault("mine.py", 1, "no `mine`")]

    changes = apply(project, compiled({**TREE, "rewards.py": "limit = 3\n"}), find_faults=find)
    assert changes.paths(Fate.CONFLICT) == ["rewards.py"]
    assert changes.faults == ()


def test_every_merged_script_is_parsed(project: Path) -> None:
    (project / "train.py").write_text(SCRIPT + "\ndef (\n")
    changes = applied(project, compiled(tree(STEPS="20")))
    assert changes.paths(Fate.MERGED) == ["train.py"]
    # It was broken before the merge.
    assert changes.faults == ()


def test_the_record_of_what_waits_is_a_file_for_each_path(project: Path) -> None:
    edit(project / "train.py", "STEPS = 10", "STEPS = 11")
    manifest = (project / ".trainspec/manifest.json").read_bytes()
    applied(project, compiled(tree(STEPS="20")))
    assert (project / ".trainspec/manifest.json").read_bytes() == manifest
    assert (project / ".trainspec/unsettled/train.py").read_text() == "markers\n"
    assert json.loads(manifest)["format"] == 1


def test_a_script_with_edits_from_before_a_rename_keeps_them_on_the_way_back(
    tmp_path: Path,
) -> None:
    project = new_project(tmp_path / "project")
    applied(project, stage_tree("b", "c"))
    edit(project / "train_b.py", "RATE = 1", "RATE = 1\nMINE = 5")
    applied(project, stage_tree("a"))
    changes = applied(project, stage_tree("b"))
    assert changes.paths(Fate.REMOVED) == ["train_a.py"]
    assert "MINE = 5" in (project / "train_b.py").read_text()
    changes = applied(project, stage_tree("a"))
    assert changes.stages == {"b": "a"}
    assert "MINE = 5" in (project / "train_a.py").read_text()


@pytest.mark.parametrize("form", [b"\r\n", b"\xef\xbb\xbf"])
def test_there_and_back_gives_the_bytes_back_where_a_merge_would_not(
    tmp_path: Path, form: bytes
) -> None:
    project = new_project(tmp_path / "project")
    first = {"a.py": "def one():\n    pass\n\n\ndef two():\n    pass\n", "b.py": "B = 1\n"}
    applied(project, compiled(first))
    text = first["a.py"].replace("\n\n\ndef two", "\n\nMINE = 1\n\n\ndef two")
    (project / "a.py").write_text(text)
    marked = form + b"B = 1\n" if form.startswith(b"\xef") else b"B = 1" + form
    (project / "b.py").write_bytes(marked)
    before = files_of(project)
    applied(project, compiled({"a.py": "def two():\n    pass\n"}))
    applied(project, compiled(first))
    assert files_of(project) == before
