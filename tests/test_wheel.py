"""What is installed is what is tested: sdist, wheel, and the command in an empty environment."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CACHES = {"__pycache__", ".ruff_cache"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built from the sdist."""
    dist = tmp_path_factory.mktemp("dist")
    # As a user's front end does it: the sdist first, then the wheel from what is in it.
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(dist), str(ROOT)],
        check=True,
        capture_output=True,
        text=True,
    )
    [built] = dist.glob("trainspec-*.whl")
    assert len(list(dist.glob("trainspec-*.tar.gz"))) == 1
    return built


def test_a_wheel_has_two_top_level_names(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"compiler", "spec_schema"}
    assert len(top) == 3


def test_a_wheel_holds_every_file_that_the_compiler_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    wanted = {
        f"compiler/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "templates").rglob("*")
        if path.is_file() and CACHES.isdisjoint(path.parts)
    }
    wanted |= {
        path.relative_to(ROOT).as_posix()
        for name in ("compiler", "spec_schema")
        for path in (ROOT / name).rglob("*")
        if path.is_file() and CACHES.isdisjoint(path.parts)
    }
    assert {"compiler/py.typed", "spec_schema/py.typed"} <= wanted
    assert wanted - names == set()
    assert [name for name in names if "__pycache__" in name] == []


@pytest.mark.heavy
def test_the_installed_command_compiles_an_example_from_another_folder(
    wheel: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    constraints = str(ROOT / "constraints.txt")
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "-c", constraints, str(wheel)],
        check=True,
        env=clean,
    )
    command = environment / "bin" / "trainspec"
    spec = ROOT / "examples/arithmetic/task.toml"
    done = subprocess.run(
        [str(command), "compile", str(spec), "--into", "made"],
        cwd=elsewhere,
        env=clean,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    made = {path.name for path in (elsewhere / "made").iterdir()}
    assert {"task.toml", "train_warmup.py", "rewards.py", "run.sh", ".trainspec"} <= made
    assert "trainspec" not in (elsewhere / "made/train_warmup.py").read_text().lower()
