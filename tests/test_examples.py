"""Each example is a spec with the project that it compiles to: golden files, and clean code."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.diagnostics import Report
from compiler.emit import emit
from compiler.parse import parse
from compiler.resolve import gather, outline_of
from compiler.resolve.project import plan_project
from compiler.rules import check_plan, check_spec
from compiler.source import read_source
from compiler.tidy import tidy
from compiler.validate import validate

EXAMPLES = sorted(path.parent for path in Path("examples").glob("*/task.toml"))
OWN = {"task.toml", "prepare.py", "data", "tiny-model", "outputs"}


def compiled(example: Path) -> dict[str, str]:
    """The project's files as this compiler writes them."""
    report = Report()
    document = parse(read_source(example / "task.toml", report), report)
    spec = validate(document, report)
    check_spec(spec, document, report)
    inputs = gather(spec, document.source.path.parent)
    outline = outline_of(inputs)
    check_plan(outline, document, report)
    plan = plan_project(inputs, outline, document)
    assert not report.diagnostics, report.diagnostics
    return tidy(emit(plan), plan.modules)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_committed_project_is_what_the_spec_compiles_to(
    example: Path, request: pytest.FixtureRequest
) -> None:
    tree = compiled(example)
    if request.config.getoption("--update"):
        subprocess.run(
            [sys.executable, "-m", "compiler", "compile", str(example / "task.toml"), "--here"],
            check=True,
        )
    for path, text in tree.items():
        assert (example / path).read_text(encoding="utf-8") == text, f"{path}: run `make golden`"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", str(example)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    known = {str(example / path) for path in tree}
    stray = [
        path
        for path in listed
        if path not in known
        and Path(path).relative_to(example).parts[0] not in {*OWN, ".trainspec"}
    ]
    assert not stray, "left from an older compile"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_compiling_twice_gives_the_same_bytes(example: Path) -> None:
    assert compiled(example) == compiled(example)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_project_knows_nothing_of_the_compiler(example: Path) -> None:
    for path, text in compiled(example).items():
        if path.endswith((".py", ".toml", ".sh", ".yml")):
            assert "trainspec" not in text, path
            assert "spec_schema" not in text, path


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_project_is_clean_under_its_own_ruff(example: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(example, project, ignore=shutil.ignore_patterns("outputs", "tiny-model"))
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
            cwd=project,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_training_scripts_stay_flat(example: Path) -> None:
    for path, text in compiled(example).items():
        if Path(path).name.startswith("train_"):
            lines = text.splitlines()
            assert len(lines) <= 120, path
            assert sum(line.lstrip().startswith("if ") for line in lines) <= 1, path
            assert "try:" not in text, path
            assert "getattr" not in text, path


@pytest.mark.heavy
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_project_is_clean_under_its_own_pyright(example: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(example, project, ignore=shutil.ignore_patterns("outputs", "tiny-model"))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.heavy
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_projects_own_tests_pass_offline(example: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(example, project, ignore=shutil.ignore_patterns("outputs", "tiny-model"))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
