"""Cases from the field: packages in versions that do not go together."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.installed import lacking_packages
from compiler.lint import lint
from compiler.smoke import run_smoke
from compiler.stack import Variant, load_stack
from tests.command_line import SPEC as TASK
from tests.command_line import Run, write_task
from tests.projects import SPEC, write_project

UNTIL_RUN = {"HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}


def installed(site: Path, name: str, release: str) -> None:
    """Make a folder on the path look as if a release of a package were installed there."""
    folder = site / f"{name}-{release}.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n")


def releases(site: Path, variant: Variant, **others: str) -> Path:
    """A folder that has every package of a set as tested, but for the others given."""
    packages = load_stack(variant=variant).packages
    tested = {name: package.tested for name, package in packages.items()}
    for name, release in {**tested, **others}.items():
        installed(site, name, release)
    return site


def started(project: Path, site: Path, *command: str) -> subprocess.CompletedProcess[str]:
    python = Path(sys.executable)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **UNTIL_RUN, "PYTHONPATH": str(site), "PATH": path}
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def vllm_project(tmp_path: Path) -> Path:
    machine = 'tier = "24gb"\nrollout = { engine = "vllm-colocate" }'
    return write_project(tmp_path / "project", SPEC.replace('tier = "cpu"', machine))


@pytest.mark.parametrize("newer", ["0.31.1", "0.32.0", "0.33.0"])
def test_field_75_a_vllm_that_is_too_new_stops_a_run_before_anything(
    vllm_project: Path, tmp_path: Path, newer: str
) -> None:
    site = releases(tmp_path / "site", "vllm", vllm=newer)
    done = started(vllm_project, site, "bash", "run.sh")
    assert done.returncode == 1
    message = f"vllm {newer} is installed, and this project is for vllm==0.31.0"
    way_out = "make it an environment of its own, as README.md says"
    assert done.stderr.splitlines() == [message, way_out]
    assert done.stdout == ""


def test_field_75_the_release_that_was_tested_is_let_through(
    vllm_project: Path, tmp_path: Path
) -> None:
    done = started(vllm_project, releases(tmp_path / "site", "vllm"), "python", "versions.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("versions: trl 1.16.0, transformers 5.17.0, ")
    assert "vllm 0.31.0" in done.stdout


@pytest.mark.parametrize("found", ["0.21.0", "0.32.0"])
def test_field_75_a_vllm_that_is_not_used_stops_a_run_as_well(tmp_path: Path, found: str) -> None:
    project = write_project(tmp_path / "project")
    site = releases(tmp_path / "site", "plain", vllm=found)
    done = started(project, site, "python", "versions.py")
    assert done.returncode == 1
    message = f"vllm {found} is installed, and this project is for vllm<=0.31.0,>=0.22"
    assert done.stderr.splitlines()[0] == message
    for folder in site.glob("vllm-*"):
        shutil.rmtree(folder)
    done = started(project, site, "python", "versions.py")
    assert (done.returncode, "vllm" in done.stdout) == (0, False)


@pytest.mark.heavy
def test_field_75_a_training_script_alone_stops_before_it_loads_a_model(
    vllm_project: Path, tmp_path: Path
) -> None:
    site = releases(tmp_path / "site", "vllm", vllm="0.32.0", torch="2.13.0+cu130")
    done = started(vllm_project, site, "python", "train_warmup.py")
    assert done.returncode == 1
    assert "this project is for vllm==0.31.0" in done.stderr
    assert "Traceback" not in done.stderr
    assert "torch" not in done.stderr.rpartition("vllm 0.32.0")[2]


def test_field_75_the_smoke_test_is_not_run_with_it(vllm_project: Path, tmp_path: Path) -> None:
    site = releases(tmp_path / "site", "vllm", vllm="0.32.0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(site))
        assert lacking_packages(vllm_project, Path(sys.executable)) == [
            "`vllm==0.31.0` (it has 0.32.0)"
        ]


def test_a_machine_without_a_gpu_may_lack_what_only_a_gpu_runs(
    vllm_project: Path, tmp_path: Path
) -> None:
    site = releases(tmp_path / "site", "vllm")
    shutil.rmtree(site / "vllm-0.31.0.dist-info")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(site))
        assert lacking_packages(vllm_project, Path(sys.executable)) == []


def compiled(folder: Path, machine: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    machine = f'tier = "24gb"\n{machine}'
    spec = TASK.replace('tier = "cpu"', machine).replace("./tiny-model", "Qwen/Qwen2.5-0.5B")
    project = write_task(folder, spec)
    monkeypatch.chdir(project)
    assert run("compile").code == 0
    return project


@pytest.fixture
def unsloth_project(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    return compiled(tmp_path / "project", 'backend = "unsloth"', run, monkeypatch)


def test_field_84_unsloth_beside_a_newer_trl_is_refused(
    unsloth_project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = releases(tmp_path / "site", "unsloth", trl="1.16.0")
    done = started(unsloth_project, site, "python", "versions.py")
    assert done.returncode == 1
    message = "trl 1.16.0 is installed, and this project is for trl==1.15.0"
    assert done.stderr.splitlines()[0] == message
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert lacking_packages(unsloth_project, Path(sys.executable)) == [
        "`trl==1.15.0` (it has 1.16.0)"
    ]


def test_field_84_lint_refuses_a_requirement_of_a_newer_trl(unsloth_project: Path) -> None:
    assert found_in(unsloth_project) == {}
    path = unsloth_project / "pyproject.toml"
    path.write_text(path.read_text().replace("trl==1.15.0", "trl==1.16.0"))
    message = found_in(unsloth_project)["outside-stack"]
    assert message == "`trl==1.16.0` is outside the stack of this project"


def test_field_87_the_name_that_the_transformers_of_a_set_has_is_no_old_one(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = 'rollout = { engine = "vllm-colocate" }'
    project = compiled(tmp_path / "project", machine, run, monkeypatch)
    script = project / "train_reasoning.py"
    assert "gradient_checkpointing=True" in script.read_text()
    assert found_in(project) == {}
    script.write_text(script.read_text().replace("gradient_check", "activation_check"))
    assert {*found_in(project)} == {"unknown-argument"}


def test_field_87_a_field_that_the_older_trl_of_a_set_lacks_is_named(unsloth_project: Path) -> None:
    script = unsloth_project / "train_reasoning.py"
    added = "bf16=True, activation_checkpointing=True,"
    script.write_text(script.read_text().replace("bf16=True,", added))
    assert found_in(unsloth_project) == {
        "unknown-argument": "`activation_checkpointing` is no field of GRPOConfig in trl-1.16 with "
        "Unsloth"
    }


@pytest.mark.heavy
def test_field_86_an_import_that_fails_in_a_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, package = write_project(tmp_path / "project"), tmp_path / "site" / "trl"
    package.mkdir(parents=True)
    # It takes a module for the version of another package.
    reads = "import email\nfrom packaging.version import Version\nVersion(email)\n"
    (package / "__init__.py").write_text(reads)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    done = run_smoke(project, Path(sys.executable), lambda _: None)
    assert done.exit_code == 1
    assert done.reason.startswith("`from trl import GRPOTrainer` fails: ")
    assert "InvalidVersion" in done.reason
    assert "module 'email'" in done.reason


def found_in(path: Path) -> dict[str, str]:
    return {found.code: found.message for found in lint(path).diagnostics}
