"""A stack and its defaults move only with `--upgrade`; a second stack is put beside the first."""

import json
import shutil
from pathlib import Path

import pytest

from compiler import pipeline
from compiler.stack import table
from tests.command_line import SPEC, Run, files_of

NEXT = "trl-1.17"


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trainspec that has one more stack: another pin of TRL, another default of GRPO."""
    folder = tmp_path / "stacks"
    folder.mkdir()
    for path in [*table.FOLDER.glob("*.json"), *table.FOLDER.glob("*.toml")]:
        shutil.copyfile(path, folder / path.name)
    record = json.loads((folder / "trl-1.16.json").read_text())
    record["own"]["grpo"]["learning_rate"]["default"] = 3e-6
    (folder / f"{NEXT}.json").write_text(json.dumps(record))
    versions = (folder / "trl-1.16.toml").read_text()
    moved = versions.replace("1.16.0", "1.17.0").replace(">=1.16,<1.17", ">=1.17,<1.18")
    (folder / f"{NEXT}.toml").write_text(moved)
    monkeypatch.setattr(table, "FOLDER", folder)
    monkeypatch.setattr(table, "STACKS", ("trl-1.16", NEXT))


@pytest.fixture
def compiled(folder: Path, run: Run) -> Path:
    """A project that the trainspec before compiled."""
    assert run("compile").code == 0
    return folder


def project_of(folder: Path) -> dict[str, bytes]:
    return {path: data for path, data in files_of(folder).items() if "/undo/" not in path}


def test_a_newer_trainspec_moves_nothing_by_itself(
    compiled: Path, run: Run, request: pytest.FixtureRequest
) -> None:
    before = project_of(compiled)
    request.getfixturevalue("newer")
    assert run("compile", "--check").code == 0
    assert run("compile").code == 0
    assert project_of(compiled) == before
    assert "| `learning_rate` | `1e-6` |" in run("plan").out
    (compiled / "task.toml").write_text(SPEC.replace("steps = 20", "steps = 30"))
    assert run("compile").code == 0
    assert "learning_rate=1e-6" in (compiled / "train_reasoning.py").read_text()
    assert '"trl>=1.16,<1.17"' in (compiled / "pyproject.toml").read_text()


def test_an_upgrade_moves_pins_and_unwritten_values_and_no_byte_of_the_spec(
    compiled: Path, run: Run, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("newer")
    assert run("compile", "--check", "--upgrade").code == 1
    assert run("compile", "--upgrade").code == 0
    assert (compiled / "task.toml").read_text() == SPEC
    assert "learning_rate=3e-6" in (compiled / "train_reasoning.py").read_text()
    assert '"trl>=1.17,<1.18"' in (compiled / "pyproject.toml").read_text()
    # Now it is the stack of the last compile.
    assert run("compile").err.endswith("nothing to change\n")
    assert run("compile", "--check").code == 0


def test_an_upgrade_is_told_apart_from_changes_of_the_spec(
    compiled: Path, run: Run, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("newer")
    spec = SPEC.replace("epochs = 1", "epochs = 3")
    (compiled / "task.toml").write_text(spec)
    before = files_of(compiled)
    record = json.loads(run("compile", "--upgrade", "--diff", "--format", "json").out)
    assert files_of(compiled) == before
    by_kind = {cause["kind"]: cause for cause in record["projects"][0]["causes"]}
    assert by_kind["spec"]["changes"][0]["key"] == "stages.warmup.epochs"
    assert by_kind["spec"]["paths"] == ["PLAN.md", "train_warmup.py"]
    assert by_kind["upgrade"]["changes"] == [{"key": "stack", "before": "trl-1.16", "after": NEXT}]
    assert by_kind["upgrade"]["paths"] == [
        ".github/workflows/ci.yml",
        "PLAN.md",
        "pyproject.toml",
        "train_reasoning.py",
    ]
    text = run("compile", "--upgrade", "--diff").out
    assert f"stack: trl-1.16 -> {NEXT}\n  .github/workflows/ci.yml\n" in text
    # Without the option, the change of the spec is all there is.
    record = json.loads(run("compile", "--diff", "--format", "json").out)
    assert [cause["kind"] for cause in record["projects"][0]["causes"]] == ["spec"]


@pytest.mark.parametrize(
    "written",
    [
        b'spec = 1\r\n[project]\r\nname = "sums"\r\nstack = "trl-1.16"  # ours\r\n',
        b"\xef\xbb\xbfspec = 1\n[project]\nname = \"sums\"\nstack = 'trl-1.16'\n",
        b'\xef\xbb\xbfproject = { name = "sums", stack = "trl-1.16", seed = 1 }\nspec = 1\n',
        b'spec = 1\r\n[project]\nname = "sums"\nstack="trl-1.16"\r\n',
    ],
)
def test_an_upgrade_changes_the_stack_line_of_the_spec_and_nothing_else(
    folder: Path, run: Run, request: pytest.FixtureRequest, written: bytes
) -> None:
    rest = SPEC.partition('stages = ["warmup", "reasoning"]\n')[2].partition("[stages.warmup]")
    tail = rest[0] + "[stages.reasoning]" + rest[2].partition("[stages.reasoning]")[2]
    spec = written + tail.encode()
    (folder / "task.toml").write_bytes(spec)
    assert run("compile").code == 0
    request.getfixturevalue("newer")
    assert run("compile", "--check").code == 0
    shown = run("compile", "--upgrade", "--diff").out
    assert "updated task.toml\n" in shown
    assert (folder / "task.toml").read_bytes() == spec
    assert run("compile", "--upgrade").code == 0
    new = spec.replace(b"'trl-1.16'", b'"trl-1.17"').replace(b"trl-1.16", b"trl-1.17")
    assert (folder / "task.toml").read_bytes() == new
    assert run("compile", "--check").code == 0
    assert run("compile", "--undo").code == 0
    assert (folder / "task.toml").read_bytes() == spec


def test_an_upgrade_where_there_is_nothing_newer_changes_nothing(folder: Path, run: Run) -> None:
    run("compile")
    before = project_of(folder)
    assert run("compile", "--upgrade").err.endswith("nothing to change\n")
    assert project_of(folder) == before


@pytest.mark.usefixtures("newer")
def test_a_first_compile_takes_the_newest_stack(folder: Path, run: Run) -> None:
    run("compile")
    assert json.loads((folder / ".trainspec/manifest.json").read_text())["stack"] == NEXT
    (folder / "task.toml").write_text(SPEC.replace("stages =", 'stack = "trl-1.16"\nstages ='))
    assert run("compile").code == 0
    assert "learning_rate=1e-6" in (folder / "train_reasoning.py").read_text()


def test_a_stack_that_is_gone_is_refused_with_a_way_out(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("compile")
    manifest = folder / ".trainspec/manifest.json"
    manifest.write_text(manifest.read_text().replace("trl-1.16", "trl-0.9"))
    before = project_of(folder)
    for words in (("check",), ("plan",), ("compile",), ("compile", "--check")):
        done = run(*words)
        assert done.code == 1
        assert "error[unknown-stack]" in done.out + done.err
        assert "`trainspec compile --upgrade`" in done.out + done.err
    assert project_of(folder) == before
    assert run("compile", "--upgrade").code == 0
    assert run("check").code == 0
    monkeypatch.setattr(pipeline, "VERSION", "9.0")
    assert run("compile", "--check").code == 0, "a version alone is no difference"


def test_the_stack_of_a_house_file_is_changed_there(
    folder: Path, run: Run, request: pytest.FixtureRequest
) -> None:
    (folder.parent / "house.toml").write_text('[project]\nstack = "trl-1.16"\n')
    spec = SPEC.replace("stages = [", 'extends = "../house.toml"\nstages = [')
    (folder / "task.toml").write_text(spec)
    run("compile")
    request.getfixturevalue("newer")
    refused = run("compile", "--upgrade")
    assert refused.code == 3
    assert "`../house.toml`" in refused.err
    assert f'`stack = "{NEXT}"`' in refused.err
