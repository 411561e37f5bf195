"""`trainspec lint` on a compiled project: as it is, edited, and mended."""

import json
import shutil
from pathlib import Path

import pytest

from compiler.lint import lint, project_faults, repair
from tests.command_line import SPEC, Run, command, files_of, write_task

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_task(tmp_path_factory.mktemp("compiled") / "project")
    assert command("compile", cwd=folder).returncode == 0
    return folder


@pytest.fixture
def project(compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A compiled project in the working folder, with no pyright to be found."""
    monkeypatch.setattr("compiler.lint.types.find_pyright", lambda _python: None)
    folder = shutil.copytree(compiled, tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_bytes().decode()
    assert before in text
    path.write_bytes(text.replace(before, after, 1).encode())


def codes(path: Path) -> list[str]:
    return [found.code for found in lint(path).diagnostics]


def test_a_project_as_it_is_has_no_findings(project: Path, run: Run) -> None:
    before = files_of(project)
    done = run("lint", "--deny", "warnings")
    assert (done.code, done.out) == (0, "")
    assert "pyright" in done.err
    assert "was skipped: it is not installed" in done.err
    assert files_of(project) == before


@pytest.mark.parametrize("example", ["gsm8k", "arithmetic"])
def test_the_examples_have_none(example: str) -> None:
    assert lint(ROOT / "examples" / example).diagnostics == ()


def test_nothing_is_written_without_fix(project: Path, run: Run) -> None:
    edit(project / "train_reasoning.py", "max_steps=20", "max_steps=20, warmup_ratio=0.1")
    before = files_of(project)
    assert run("lint").code == 1
    assert files_of(project) == before


def test_a_value_that_the_spec_has_by_now_shadows_nothing(project: Path) -> None:
    edit(project / "rewards.py", "correct: 2.0", "correct: 1.5")
    [found] = lint(Path()).diagnostics
    assert found.message == "`correct` is `1.5` here, and `2.0` by the spec"
    assert [related.place.file for related in found.related] == ["task.toml"]
    edit(project / "task.toml", "correct = 2.0", "correct = 1.5")
    assert codes(Path()) == []
    edit(project / "task.toml", "correct = 1.5", "correct = 1.25")
    [found] = lint(Path()).diagnostics
    assert "`1.25` by the spec" in found.message


def test_a_wrong_spec_leaves_the_last_compile_to_compare_with(project: Path) -> None:
    edit(project / "rewards.py", "correct: 2.0", "correct: 1.5")
    edit(project / "task.toml", "steps = 20", "stepz = 20")
    [found] = lint(Path()).diagnostics
    assert found.message.endswith("`2.0` by the spec as last compiled")


def test_fix_renames_and_removes_and_keeps_the_form_of_the_file(project: Path, run: Run) -> None:
    script = project / "train_reasoning.py"
    edit(script, "max_steps=20", "max_steps=20,\n        evaluation_strategy='no',\n        lr=2")
    edit(script, "processing_class=", "tokenizer=")
    edit(script, "from trl import", "import os\nfrom trl import")
    script.write_bytes(b"\xef\xbb\xbf" + script.read_bytes().replace(b"\n", b"\r\n"))
    script.chmod(0o750)
    done = run("lint", "--fix")
    data = script.read_bytes()
    assert b"eval_strategy='no'" in data
    assert b"processing_class=" in data
    # The config has that field already, and a second one would be a syntax error.
    assert b"lr=2" in data
    assert b"import os" not in data
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert script.stat().st_mode & 0o777 == 0o750
    assert "mended `train_reasoning.py`" in done.err
    assert done.code == 1
    assert [line for line in done.out.splitlines() if line.startswith("error")] == [
        "error[retired-argument]: `lr` is no field of GRPOConfig in trl-1.16"
    ]
    assert run("lint", "--fix").err.count("mended") == 0


def test_a_suppressed_finding_is_not_mended(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    text = "from trl import SFTConfig\n\nSFTConfig(lr=1)  # lint: ignore[retired-argument] a fork\n"
    script.write_text(text)
    assert repair(lint(script)) == []
    assert script.read_text() == text
    script.write_text(text.replace(" a fork", ""))
    assert repair(lint(script)) == ["train.py"]


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    real = tmp_path / "real.txt"
    real.write_text("from trl import SFTConfig\n\nargs = SFTConfig(lr=1)\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/train.py").symlink_to(real)
    assert repair(lint(tmp_path / "folder")) == []
    assert "lr=1" in real.read_text()


@pytest.mark.parametrize("form", ["full", "concise", "json", "github", "sarif"])
def test_every_form_names_the_line(project: Path, run: Run, form: str) -> None:
    edit(project / "train_reasoning.py", "max_steps=20,", "max_steps=20,\n        lr=2,")
    line = (project / "train_reasoning.py").read_text().splitlines().index("        lr=2,") + 1
    done = run("lint", "--format", form)
    assert done.code == 1
    if form == "json":
        [found] = json.loads(done.out)["diagnostics"]
        assert (found["file"], found["line"]) == ("train_reasoning.py", line)
    elif form == "sarif":
        [found] = json.loads(done.out)["runs"][0]["results"]
        region = found["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] == line
    else:
        place = f"line={line}" if form == "github" else f":{line}:9"
        assert f"train_reasoning.py{'' if form != 'github' else ','}{place}" in done.out


def test_warnings_end_well_unless_they_are_denied(project: Path, run: Run) -> None:
    edit(project / "rewards.py", "correct: 2.0", "correct: 1.5")
    assert run("lint").code == 0
    assert run("lint", "--deny", "warnings").code == 1


def test_one_file_of_a_project_is_judged_within_it(project: Path) -> None:
    edit(project / "rewards.py", "correct: 2.0", "correct: 1.5")
    edit(project / "train_reasoning.py", "max_steps=20", "max_stepz=20")
    assert codes(project / "rewards.py") == ["value-shadows-spec"]


@pytest.mark.parametrize("name", ["none", "none.py", "data.bin"])
def test_what_is_not_there_is_a_finding(tmp_path: Path, run: Run, name: str) -> None:
    (tmp_path / "data.bin").write_bytes(b"\0")
    done = run("lint", str(tmp_path / name))
    assert done.code == 1
    assert "error[" in done.out


def test_a_folder_without_python_is_a_finding(tmp_path: Path, run: Run) -> None:
    done = run("lint", str(tmp_path))
    assert done.code == 1
    assert "error[file-not-found]: there is no Python file" in done.out


def test_other_projects_and_environments_inside_are_left_alone(project: Path) -> None:
    bad = "import trl\n\ntrl.SFTConfig(lr=1)\n"
    for place, mark in (("env", "pyvenv.cfg"), ("inner", ".trainspec/manifest.json")):
        (project / place / mark).parent.mkdir(parents=True)
        (project / place / mark).write_text("{}")
        (project / place / "bad.py").write_text(bad)
    (project / "outputs").mkdir()
    (project / "outputs/bad.py").write_text(bad)
    assert codes(Path()) == []
    (project / "mine").mkdir()
    (project / "mine/bad.py").write_text(bad)
    assert codes(Path()) == ["retired-argument"]


def test_settings_that_ruff_cannot_read_are_a_finding(project: Path) -> None:
    edit(project / "pyproject.toml", "line-length = 100", 'line-length = "wide"')
    assert "ruff-finding" in codes(Path())


def test_columns_count_characters(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text('from trl import SFTConfig\n\nSFTConfig(run_name="é😀", lr=1), ünknown\n')
    found = {each.code: each.place for each in lint(script).diagnostics}
    text = script.read_text()
    assert {code: text[slice(*place.span)] for code, place in found.items() if place} == {
        "retired-argument": "lr",
        "undefined-name": "ünknown",
    }


def test_a_project_made_elsewhere_says_its_findings_under_its_path(
    project: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(project / "train_reasoning.py", "max_steps=20", "max_stepz=20")
    monkeypatch.chdir(tmp_path)
    assert run("lint", "project", "--format", "concise").out.startswith(
        "project/train_reasoning.py:"
    )


SHORT = SPEC.replace(
    "[stages.warmup]",
    '[rewards.brief]\nkind = "length"\nmax_tokens = 9\nweight = 0.1\n\n[stages.warmup]',
)


def test_a_name_that_a_merge_orphans_is_told_and_exits_3(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = write_task(tmp_path / "project", SHORT)
    monkeypatch.chdir(project)
    assert run("compile").code == 0
    rewards = project / "rewards.py"
    edit(
        rewards,
        "def main() -> None:",
        "def limit() -> int:\n    return BRIEF_MAX_TOKENS\n\n\ndef main() -> None:",
    )
    assert codes(Path()) == []
    (project / "task.toml").write_text(SPEC)
    previewed = run("compile", "--diff", "--format", "concise")
    done = run("compile")
    assert done.code == 3
    message = "undefined name `BRIEF_MAX_TOKENS` (F821)"
    assert f"{message}, though neither yours nor the new text has that fault" in done.err
    assert message in previewed.out
    assert "undefined-name" in codes(Path())


@pytest.mark.parametrize("path", ["mine.py", "tests/conftest.py"])
def test_a_name_that_a_compile_takes_from_a_users_file_is_told(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    project = write_task(tmp_path / "project", SHORT)
    monkeypatch.chdir(project)
    assert run("compile").code == 0
    with (project / path).open("a") as script:
        script.write("\n\nfrom rewards import brief  # noqa: E402\n\nprint(brief)\n")
    assert codes(Path()) == []
    (project / "task.toml").write_text(SPEC)
    done = run("compile")
    assert done.code == 3
    assert f"error: `{path}`, line" in done.err
    assert "`rewards.py` has no `brief`, though neither yours nor the new text" in done.err
    assert "undefined-name" in codes(Path())
    assert run("compile").code == 0


def test_what_a_module_binds_in_any_way_is_found(tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text("import os.path\nimport json as j\nfrom math import *\n")
    (tmp_path / "bound.py").write_text(
        "import os.path\nimport json as j\na, (b, *c) = 1, (2, 3)\nd: int\n"
        "for e in []:\n    f = 1\nwith open(__file__) as g:\n    pass\n"
        "try:\n    import x1\nexcept ImportError as error:\n    x1 = None\n"
        "match a:\n    case [h, *i]:\n        pass\n    case {'k': k, **rest}:\n        pass\n"
        "if (m := a):\n    class N: ...\nasync def o(): ...\n\n\n"
        "def p():\n    global q\n    q = 1\n"
    )
    names = [*"abcdefghijkmopqN", "os", "x1", "rest"]
    reads = "".join(f"bound.{name}\n" for name in names)
    (tmp_path / "reader.py").write_text(
        f"import bound\nimport given\nfrom bound import {', '.join(names)}\n{reads}"
        "given.anything\nbound.added = 1\nbound.added\n"
    )
    assert codes(tmp_path) == []
    with (tmp_path / "reader.py").open("a") as script:
        script.write("bound.nothing\n")
    assert codes(tmp_path) == ["undefined-name"]


def test_faults_of_texts_need_no_folder() -> None:
    texts = {
        "train.py": "from trl import SFTConfig\n\nSFTConfig(lr=1)\nSFTConfig(logging_steps=1)\n",
        "rewards.py": "x = (\n",
        "run.sh": "python train.py\n",
    }
    assert [(fault.path, fault.line) for fault in project_faults(texts)] == [
        ("rewards.py", 1),
        ("train.py", 3),
    ]


def test_lint_imports_nothing_of_the_project(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    (tmp_path / "train.py").write_text(
        f"from pathlib import Path\n\nPath({str(marker)!r}).touch()\n"
    )
    assert codes(tmp_path) == []
    assert not marker.exists()


def test_a_copy_of_an_example_with_a_lock_is_right(tmp_path: Path) -> None:
    project = tmp_path / "gsm8k"
    shutil.copytree(ROOT / "examples/gsm8k", project)
    (project / "requirements.txt").write_text("trl==1.16.0\ntorch==2.13.0+cpu\n-r other.txt\n")
    assert codes(project) == []


def test_a_requirement_can_be_left_out_with_its_reason(project: Path, run: Run) -> None:
    edit(project / "pyproject.toml", '"trl>=1.16,<1.17",', '"trl>=1.16",')
    assert codes(Path()) == ["outside-stack"]
    edit(
        project / "pyproject.toml",
        '"trl>=1.16",',
        '"trl>=1.16",  # lint: ignore[outside-stack] the next release is tried out here',
    )
    assert codes(Path()) == []
    assert run("lint", "--deny", "warnings").code == 0
