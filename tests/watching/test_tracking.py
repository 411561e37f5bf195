"""Where curves go: the arguments and packages of each tracker, and real runs of two of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.projects import SPEC, load, write_project

SFT = (
    SPEC.replace(', "reasoning"', "")
    .partition("[stages.reasoning]")[0]
    .replace("[rewards]\ncorrect = 1.0\n", "")
    .replace("[stages.warmup]", "[stages.warmup]\nsteps = 2\ntrainer = { logging_steps = 1 }")
)


def tracked(folder: Path, tracking: str) -> Path:
    return write_project(folder / "project", f"{SPEC}[run]\ntracking = {tracking}\n")


def test_without_a_tracker_nothing_is_asked_for(tmp_path: Path) -> None:
    project = write_project(tmp_path / "project")
    script = (project / "train_reasoning.py").read_text()
    assert 'report_to="none"' in script
    assert "run_name" not in script
    assert not (project / "tracking.py").exists()


@pytest.mark.parametrize(
    ("tracking", "package", "arguments"),
    [
        ('"tensorboard"', "tensorboard", ['report_to="tensorboard"']),
        (
            '"trackio"',
            "trackio",
            ['report_to="trackio"', 'run_name="reasoning"', 'project="sums"'],
        ),
        (
            '{ to = "trackio", project = "maths", space = "acme/curves" }',
            "trackio",
            ['project="maths"', 'trackio_space_id="acme/curves"'],
        ),
        (
            '"wandb"',
            "wandb",
            ['report_to="wandb"', 'run_name="reasoning"', 'require_wandb("sums")'],
        ),
        ('{ to = "wandb", project = "maths" }', "wandb", ['require_wandb("maths")']),
    ],
)
def test_a_tracker_has_its_arguments_and_its_package(
    tracking: str, package: str, arguments: list[str], tmp_path: Path
) -> None:
    project = tracked(tmp_path, tracking)
    script = (project / "train_reasoning.py").read_text()
    assert [each for each in arguments if each not in script] == []
    assert f'"{package}>=' in (project / "pyproject.toml").read_text()


STAND_IN = """
class Settings:
    mode = {mode!r}

class Session:
    settings = Settings()

def setup():
    return Session()

def login(*, prompt, verify):
    assert prompt is False
    return {logged_in!r}
"""


@pytest.fixture
def tracking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], ModuleType]:
    """tracking.py beside a wandb that only says its mode and whether there is a key."""
    project = tracked(tmp_path, '"wandb"')
    monkeypatch.delitem(sys.modules, "wandb", raising=False)
    monkeypatch.setenv("WANDB_PROJECT", "of-the-user")

    def loaded(mode: str, key: str) -> ModuleType:
        (project / "wandb.py").write_text(STAND_IN.format(mode=mode, logged_in=bool(key)))
        return load(project, "tracking")

    return loaded


def test_field_132_without_a_key_the_run_ends_and_nothing_is_asked(
    tracking: Callable[[str, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tracking("online", "")
    with pytest.raises(SystemExit, match="WANDB_MODE=offline"):
        module.require_wandb("sums")
    monkeypatch.setenv("RANK", "1")
    module.require_wandb("sums")  # which logs nothing


@pytest.mark.parametrize(("mode", "key"), [("online", "a key"), ("offline", ""), ("disabled", "")])
def test_a_key_or_a_quiet_mode_is_enough(
    mode: str, key: str, tracking: Callable[[str, str], ModuleType]
) -> None:
    tracking(mode, key).require_wandb("sums")
    assert os.environ["WANDB_PROJECT"] == "of-the-user"


def test_the_key_is_demanded_before_the_model_loads(tmp_path: Path) -> None:
    script = (tracked(tmp_path, '"wandb"') / "train_reasoning.py").read_text()
    main = script.partition("def main()")[2]
    assert main.index("require_wandb") < main.index("build_trainer()")


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """A project of one SFT stage and the tiny model that it starts from."""
    spec = SFT.replace("Qwen/Qwen2.5-0.5B-Instruct", "./tiny")
    project = write_project(tmp_path / "project", spec)
    write = "from tiny_model import write_tiny_model; from pathlib import Path; "
    write += "write_tiny_model(Path('tiny'), ['1+1?', '<answer>2</answer>'])"
    environment = {**os.environ, "PYTHONPATH": "tests"}
    subprocess.run([sys.executable, "-c", write], cwd=project, env=environment, check=True)
    return project


def train(
    project: Path, tracker: str, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    spec = (project / "task.toml").read_text() + f'[run]\ntracking = "{tracker}"\n'
    write_project(project, spec)
    return subprocess.run(
        [sys.executable, "train_warmup.py"],
        cwd=project,
        env={**os.environ, "HF_HUB_OFFLINE": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_wandb_keeps_an_offline_run_on_this_machine(trained: Path) -> None:
    pytest.importorskip("wandb", reason="wandb is not installed")
    done = train(trained, "wandb", {"WANDB_MODE": "offline", "WANDB_DIR": str(trained)})
    assert done.returncode == 0, done.stderr
    assert list(trained.glob("wandb/offline-run-*/*.wandb"))


@pytest.mark.slow
def test_wandb_without_a_key_ends_the_run_at_once(trained: Path) -> None:
    pytest.importorskip("wandb", reason="wandb is not installed")
    home = {"HOME": str(trained), "NETRC": str(trained / "none"), "WANDB_MODE": "online"}
    done = train(trained, "wandb", home)
    assert done.returncode == 1
    assert "wandb has no key" in done.stderr
    assert not (trained / "outputs").exists()


@pytest.mark.slow
def test_trackio_keeps_the_curves_on_this_machine(trained: Path) -> None:
    pytest.importorskip("trackio", reason="trackio is not installed")
    done = train(trained, "trackio", {"TRACKIO_DIR": str(trained / "curves")})
    assert done.returncode == 0, done.stderr
    assert list((trained / "curves").glob("sums*"))
