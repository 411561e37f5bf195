"""What CI is told to run, run as CI would: the documented workflow, and the hooks of pre-commit."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
HOUSE_RULES = ROOT / "tests/tasks/house_rules"
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
SOME = ("roman-numerals", "spelling", "sums")
# The real command line; a smoke test, which trains for minutes, only notes its spec.
COMMAND = """\
#!/bin/sh
if [ "$1" = smoke ]; then echo "$2" >> smoked.txt; exit; fi
exec {python} -m compiler "$@"
"""


def blocks(language: str) -> list[Any]:
    return [
        yaml.safe_load(text) for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    ]


[WORKFLOW] = [block for block in blocks("yaml") if "jobs" in block]
STEPS = {step["name"]: step for step in WORKFLOW["jobs"]["specs"]["steps"] if "name" in step}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `trainspec` is on the path."""
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin/trainspec"
    script.write_text(COMMAND.format(python=sys.executable))
    script.chmod(0o755)
    git = {
        f"GIT_{who}_{what}": "nobody@localhost"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, **git, "PATH": path, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def repository(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A repository of three specs, compiled and committed."""
    place = tmp_path / "repository"
    (place / "specs").mkdir(parents=True)
    shutil.copyfile(HOUSE_RULES / "house.toml", place / "specs/house.toml")
    for name in SOME:
        shutil.copytree(HOUSE_RULES / name, place / "specs" / name)
    shell("git init --quiet --initial-branch main", place, environment)
    assert shell("trainspec compile specs/*/task.toml", place, environment).returncode == 0
    commit(place, environment)
    return place


def shell(
    script: str, place: Path, environment: dict[str, str], **more: str
) -> subprocess.CompletedProcess[str]:
    # The shell of a workflow's step.
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=place,
        env=environment | more,
        capture_output=True,
        text=True,
        check=False,
    )


def commit(place: Path, environment: dict[str, str]) -> str:
    shell("git add --all && git commit --quiet --message change", place, environment)
    return shell("git rev-parse HEAD", place, environment).stdout.strip()


def smoked(place: Path, environment: dict[str, str], base: str) -> list[str]:
    done = shell(STEPS["What changed still trains"]["run"], place, environment, BASE=base)
    assert done.returncode == 0, done.stderr
    noted = place / "smoked.txt"
    lines = noted.read_text().splitlines() if noted.exists() else []
    noted.unlink(missing_ok=True)
    return [Path(line).parent.name for line in lines]


def respell(path: Path, old: str, new: str) -> None:
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def test_the_documented_workflow_passes_and_smokes_what_changed(
    repository: Path, environment: dict[str, str]
) -> None:
    base = commit(repository, environment)
    spec = repository / "specs/spelling/task.toml"
    respell(spec, "steps = 150", "steps = 120")
    checks = [step["run"] for name, step in STEPS.items() if name.startswith("Every")]
    assert len(checks) == 2
    late = [shell(check, repository, environment) for check in checks]
    assert [done.returncode for done in late] == [0, 1]
    assert late[1].stdout.startswith(
        "::error title=out-of-date,file=specs/spelling/task.toml,line="
    )
    shell("trainspec compile specs/*/task.toml", repository, environment)
    assert [shell(check, repository, environment).returncode for check in checks] == [0, 0]
    head = commit(repository, environment)
    assert smoked(repository, environment, base) == ["spelling"]
    assert smoked(repository, environment, head) == []
    assert smoked(repository, environment, "0" * 40) == list(SOME)
    respell(repository / "specs/house.toml", "seed = 7", "seed = 8")
    commit(repository, environment)
    assert smoked(repository, environment, head) == list(SOME)


def test_a_wrong_spec_fails_its_step_with_an_annotation(
    repository: Path, environment: dict[str, str]
) -> None:
    respell(repository / "specs/sums/task.toml", "xml_format", "xml_fromat")
    done = shell(STEPS["Every spec is right"]["run"], repository, environment)
    assert done.returncode == 1
    assert re.match(r"::error title=[\w-]+,file=specs/sums/task\.toml,line=\d+,", done.stdout)


HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_runs_with_the_files_that_pre_commit_passes(
    repository: Path, environment: dict[str, str], hook: dict[str, str]
) -> None:
    tracked = shell("git ls-files", repository, environment).stdout.splitlines()
    files = [path for path in tracked if re.search(hook["files"], path)]
    assert files == [f"specs/{name}/task.toml" for name in SOME]
    # pre-commit splits the entry as a shell would and runs it without one.
    words = [*shlex.split(hook["entry"]), *files]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=repository, env=environment, capture_output=True, text=True, check=False
        )

    before = shell("git status --porcelain", repository, environment).stdout
    assert run().returncode == 0
    respell(repository / "specs/sums/task.toml", "correct = 1.0", "correct = 0.5")
    assert run().returncode == (1 if "--check" in words else 0)
    respell(repository / "specs/sums/task.toml", "steps = 100", "stepz = 100")
    assert run().returncode == 1
    shell("git checkout --quiet specs/sums/task.toml", repository, environment)
    assert shell("git status --porcelain", repository, environment).stdout == before


def test_the_hooks_of_the_page_are_those_that_there_are(
    repository: Path, environment: dict[str, str]
) -> None:
    shared, local = blocks("yaml")[-2:]
    ids = [hook["id"] for repo in shared["repos"] for hook in repo["hooks"]]
    assert ids == [hook["id"] for hook in HOOKS]
    [hook] = local[0]["hooks"]
    assert re.search(hook["files"], "specs/house.toml")
    words = shlex.split(hook["entry"])
    respell(repository / "specs/house.toml", "seed = 7", "seed = 8")
    done = subprocess.run(
        words, cwd=repository, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.count("error[out-of-date]") == len(SOME)


def test_the_workflow_of_a_project_pins_what_its_stack_was_tested_with(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    spec = HOUSE_RULES / "sums/task.toml"
    done = shell(
        f"trainspec compile {spec} --into made --set 'project.ci=\"github\"'", tmp_path, environment
    )
    assert done.returncode == 0, done.stderr
    made = tmp_path / "made"
    workflow = yaml.safe_load((made / ".github/workflows/ci.yml").read_text())
    [install, *steps] = [s["run"] for s in workflow["jobs"]["test"]["steps"] if "run" in s]
    words = shlex.split(install)
    assert words[:3] == ["pip", "install", ".[dev]"]
    pins = dict(word.split("==") for word in words[3:])
    assert pins.keys() == {"trl", "transformers", "datasets", "torch", "peft"}
    # Its GRPO stage samples with vLLM.
    lock = (ROOT / "compiler/stack/locks/trl-1.16-vllm.txt").read_text(encoding="utf-8")
    assert {f"{name}=={version}" for name, version in pins.items()} <= set(lock.splitlines())
    assert steps == [
        "ruff check",
        "ruff format --check",
        "pyright",
        "pytest --ignore tests/test_smoke.py",
        "pytest tests/test_smoke.py",
    ]
    assert (made / "tests/test_smoke.py").exists()
    for step in steps[:2]:
        assert shell(f"{sys.executable} -m {step}", made, environment).returncode == 0
