"""`extends`: a house file under a spec, what of it counts, and where its faults are shown."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from compiler import smoke
from compiler.diagnostics import Report, Stop
from compiler.extends import extend
from compiler.parse import Document, parse
from compiler.source import SourceFile
from tests.command_line import SPEC, Run, files_of, write_task

HOUSE = """\
[project]
seed = 7

[model]
base = "./tiny-model"
adapter = { kind = "lora", r = 16, alpha = 32 }

[hardware]
tier = "cpu"

[run]
tracking = "tensorboard"
save_every = 50
"""
OWN = SPEC.replace('[model]\nbase = "./tiny-model"\n\n[hardware]\ntier = "cpu"\n\n', "").replace(
    'name = "sums"\n', 'name = "sums"\nextends = "../house.toml"\n'
)


@pytest.fixture
def house(folder: Path) -> Path:
    """The house file beside the folder of a spec that extends it."""
    (folder / "task.toml").write_text(OWN)
    path = folder.parent / "house.toml"
    path.write_text(HOUSE)
    return path


def merged(own: str, shared: str) -> Document:
    report = Report()
    document = parse(SourceFile(Path("task.toml"), "task.toml", own), report)
    return extend(document, SourceFile(Path("house.toml"), "house.toml", shared), report)


def values(own: str, shared: str) -> dict[str, Any]:
    return merged(own, shared).values


def test_tables_are_merged_key_by_key_and_the_spec_wins() -> None:
    own = "[run]\nkeep = 1\n[model]\nadapter.r = 8"
    shared = "[run]\nkeep = 2\nsave_every = 5\n[model]\nadapter = { kind = 'lora', r = 4 }"
    assert values(own, shared) == {
        "run": {"keep": 1, "save_every": 5},
        "model": {"adapter": {"kind": "lora", "r": 8}},
    }


def test_rewards_and_stages_are_merged_by_their_names() -> None:
    own = "[rewards]\ncorrect = 3.0\nstyle = { weight = 0.1 }\n[stages.last]\nsteps = 9"
    shared = (
        "[rewards]\ncorrect = 1.0\nstyle = { kind = 'length', weight = 1.0 }\nxml_tags = 0.5\n"
        "[stages.last]\nmethod = 'grpo'\nsteps = 5"
    )
    assert values(own, shared) == {
        "rewards": {
            "correct": 3.0,
            "style": {"kind": "length", "weight": 0.1},
            "xml_tags": 0.5,
        },
        "stages": {"last": {"method": "grpo", "steps": 9}},
    }


@pytest.mark.parametrize(
    ("own", "shared"),
    [
        ("project.stages = ['b']", "project.stages = ['a', 'c']"),
        ("prompt.shots = [{ user = 'a' }]", "prompt.shots = [{ user = 'b' }, { user = 'c' }]"),
        ("prompt.shots = { rows = [1] }", "prompt.shots = [{ user = 'b' }]"),
        ("model.adapter = { kind = 'none' }", "model.adapter = { kind = 'lora', r = 4 }"),
        ("answer = { extract = 'boxed' }", "answer = { extract = 'xml', tag = 'a' }"),
        ("data.train = { path = 'a.csv' }", "data.train = { hub = 'a/b', split = 'x' }"),
        ("data.eval = { holdout = 0.1 }", "data.eval = { path = 'a.csv', rows = 9 }"),
        ("stages.a = { method = 'sft' }", "stages.a = { method = 'grpo', beta = 0.1 }"),
        ("rewards.a = { kind = 'length' }", "rewards.a = { kind = 'forbidden', patterns = ['x'] }"),
        ("rewards.correct = 1.0", "rewards.correct = { kind = 'correct', weight = 2.0 }"),
    ],
)
def test_a_list_and_a_table_of_another_kind_are_replaced(own: str, shared: str) -> None:
    assert values(own, shared) == tomllib.loads(own)


def test_a_table_of_the_same_kind_is_merged() -> None:
    own = "data.train = { path = 'b.csv' }"
    shared = "data.train = { path = 'a.csv', delimiter = ';' }"
    assert values(own, shared) == {"data": {"train": {"path": "b.csv", "delimiter": ";"}}}


def test_each_value_has_its_place_in_its_own_file() -> None:
    document = merged(
        "[model]\nadapter = { r = 8 }\n",
        "[model]\nbase = 'x'\nadapter = { r = 4, alpha = 8 }\nold = { a = 1 }\n[run]\nkeep = 2\n",
    )
    places = {
        path: (document.key_place(path).file, document.text_at(document.value_place(path)))
        for path in (
            ("model", "base"),
            ("model", "adapter", "r"),
            ("model", "adapter", "alpha"),
            ("run", "keep"),
        )
    }
    assert places == {
        ("model", "base"): ("house.toml", "'x'"),
        ("model", "adapter", "r"): ("task.toml", "8"),
        ("model", "adapter", "alpha"): ("house.toml", "8"),
        ("run", "keep"): ("house.toml", "2"),
    }
    assert document.line_of(document.key_place(("run", "keep"))) == 6
    # What is not there has the place of what is around it: the spec's own header.
    assert document.key_place(("model", "revision")).file == "task.toml"


def test_what_the_spec_replaces_has_no_place_in_the_house_file() -> None:
    document = merged("data.train = { hub = 'a/b' }", "data.train = { path = 'x', rows = 3 }")
    assert ("data", "train", "rows") not in document.key_spans
    assert document.key_place(("data", "train", "rows")).file == "task.toml"


@pytest.mark.parametrize("key", ["spec = 1", "project.name = 'x'", "project.extends = 'y'"])
def test_what_says_which_spec_it_is_cannot_be_shared(key: str) -> None:
    report = Report()
    document = parse(SourceFile(Path("task.toml"), "task.toml", "spec = 1"), report)
    with pytest.raises(Stop):
        extend(document, SourceFile(Path("house.toml"), "house.toml", key), report)
    [found] = report.diagnostics
    assert (found.code, found.place.file if found.place else "") == ("misplaced-key", "house.toml")


@pytest.mark.usefixtures("house")
def test_a_plan_says_which_file_a_value_comes_from(run: Run) -> None:
    page = run("plan").out
    assert "| `save_steps` | `50` | `run.save_every` of `house.toml` |" in page
    assert "| `seed` | `7` | `project.seed` of `house.toml` |" in page
    assert "| `max_steps` | `20` | `stages.reasoning.steps` |" in page


def test_a_fault_of_the_house_file_is_shown_once_and_there(house: Path, run: Run) -> None:
    other = write_task(house.parent / "other", OWN.replace("steps = 20", "stepz = 20"))
    house.write_text(HOUSE.replace("save_every = 50", "save_every = 0"))
    done = run("check", "task.toml", str(other / "task.toml"), "--format", "concise")
    assert done.code == 1
    assert [line.partition(": ")[0] for line in done.out.splitlines()] == [
        "../house.toml:13:14",
        f"{other}/task.toml:32:1",
        f"{house}:13:14",
    ]


@pytest.mark.parametrize(
    ("content", "code"),
    [(None, "file-not-found"), (b"\xff\xfe", "bad-encoding"), (b"x = ", "toml-syntax")],
)
def test_a_house_file_that_cannot_be_read_is_a_finding(
    house: Path, run: Run, content: bytes | None, code: str
) -> None:
    house.unlink()
    if content is not None:
        house.write_bytes(content)
    done = run("check", "--format", "concise")
    assert done.code == 1
    where = "../house.toml" if code == "toml-syntax" else "task.toml:5:11"
    assert done.out.startswith(where)
    assert f"error[{code}]" in done.out


@pytest.mark.parametrize("written", ["3", '""', '"."', '["a"]'])
def test_an_extends_that_names_no_file_is_a_finding(house: Path, run: Run, written: str) -> None:
    (house.parent / "project/task.toml").write_text(OWN.replace('"../house.toml"', written))
    done = run("check", "--format", "concise")
    assert done.code == 1
    assert done.out.startswith("task.toml:5:11: error[")


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("model.adapter.r=3", "r=3,"),
        ("run.save_every=9", "save_steps=9,"),
        ('project.extends="../house.toml"', "save_steps=50,"),
    ],
)
def test_a_set_value_wins_over_both_files(run: Run, setting: str, said: str) -> None:
    done = run("compile", "--into", "../made", "--set", setting)
    assert done.code == 0
    assert said in Path("../made/train_reasoning.py").read_text()


def test_a_project_in_a_new_folder_has_the_house_file_beside_its_spec(
    house: Path, run: Run
) -> None:
    (house.parent / "project/task.toml").write_bytes(OWN.replace("\n", "\r\n").encode())
    assert run("compile", "--into", "../made").code == 0
    made = house.parent / "made"
    assert (made / "house.toml").read_bytes() == house.read_bytes()
    text = (made / "task.toml").read_bytes().decode()
    assert text == OWN.replace('"../house.toml"', '"house.toml"').replace("\n", "\r\n")
    house.unlink()
    assert run("compile", "../made/task.toml").err.endswith("nothing to change\n")


def test_a_house_file_inside_the_folder_goes_along_as_it_is(folder: Path, run: Run) -> None:
    (folder / "shared").mkdir()
    (folder / "shared/house.toml").write_text(HOUSE)
    spec = OWN.replace("../house.toml", "shared/house.toml")
    (folder / "task.toml").write_text(spec)
    assert run("compile", "--into", "../made").code == 0
    assert (folder.parent / "made/task.toml").read_text() == spec
    assert run("compile", "../made/task.toml").err.endswith("nothing to change\n")
    # It is named by the spec, and so not in the way of a first compile.
    assert run("compile").code == 0


def test_a_house_file_of_a_taken_name_is_refused(house: Path, run: Run) -> None:
    house.rename(house.with_name("task.toml"))
    (house.parent / "project/task.toml").write_text(OWN.replace("house.toml", "task.toml"))
    refused = run("compile", "--into", "../made")
    assert refused.code == 3
    assert "`task.toml`" in refused.err
    assert not (house.parent / "made").exists()


def test_a_change_of_the_house_file_is_a_cause(house: Path, run: Run) -> None:
    run("compile")
    house.write_text(HOUSE.replace("save_every = 50", "save_every = 25"))
    late = run("compile", "--check", "--format", "concise")
    assert late.code == 1
    assert late.out.startswith("../house.toml:13:1: error[out-of-date]")
    record = json.loads(run("compile", "--diff", "--format", "json").out)
    [cause] = record["projects"][0]["causes"]
    assert cause["changes"] == [
        {"key": "run.save_every", "file": "../house.toml", "line": 13, "before": 50, "after": 25}
    ]
    run("compile")
    (house.parent / "project/task.toml").write_text(
        SPEC.replace('name = "sums"\n', 'name = "sums"\nseed = 7\n')
    )
    run("compile")
    assert not (house.parent / "project/.trainspec/house.toml").exists()


@pytest.mark.usefixtures("house")
def test_a_smoke_test_of_a_set_value_has_the_house_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, bytes]] = []

    def pretend(project: Path, *_: object) -> smoke.SmokeResult:
        seen.append(files_of(project))
        return smoke.SmokeResult((), exit_code=0)

    monkeypatch.setattr(smoke, "run_smoke", pretend)
    run("smoke", "--set", "run.keep=3")
    assert seen[0]["house.toml"].decode() == HOUSE
    assert b'extends = "house.toml"' in seen[0]["task.toml"]
