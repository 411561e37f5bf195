"""Runs the smoke test of a project on disk in a Python that has the training packages."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast
from xml.etree import ElementTree

__all__ = ["SmokeResult", "StageVerdict", "choose_python", "run_smoke"]

SMOKE_TEST = Path("tests/test_smoke.py")
OFFLINE = {
    "CUDA_VISIBLE_DEVICES": "",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # a plugin of that Python is no part of the project
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
}
_LIST_VERSIONS = """\
import importlib.metadata, sys
for distribution in importlib.metadata.distributions():
    print(distribution.metadata["Name"], distribution.version)
"""

Outcome = Literal["passed", "failed", "not run"]


@dataclass(frozen=True, slots=True)
class StageVerdict:
    """What became of one stage: its verdict or the reason of its failure, and what was replaced."""

    name: str
    outcome: Outcome
    text: str
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class SmokeResult:
    """What the smoke test says; `exit_code` is 0, 1 for the project, 4 for this machine.

    `reason` and `hint` say in one sentence each what is wrong where no stage says it; `output` is
    all that the test printed.
    """

    stages: tuple[StageVerdict, ...] = ()
    exit_code: Literal[0, 1, 4] = 1
    reason: str = ""
    hint: str = ""
    seconds: float = 0.0
    output: str = ""

    @property
    def passed(self) -> bool:
        """Whether every stage passed."""
        return self.exit_code == 0


def choose_python(project: Path, explicit: Path | None) -> tuple[Path, str]:
    """Choose the Python that runs a project's code, and say why it is this one."""
    if explicit is not None:
        return (_python_in(explicit) if explicit.is_dir() else explicit), "given by `--python`"
    if (python := _python_in(project / ".venv")).exists():
        return python, "of the project's `.venv`"
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        active = os.environ.get(variable)
        if active and (python := _python_in(Path(active))).exists():
            return python, "of the active environment"
    return Path(sys.executable), "that runs this command"


def run_smoke(project: Path, python: Path, on_line: Callable[[str], None]) -> SmokeResult:
    """Run the smoke test of a project offline; each line that it prints goes to `on_line` at once.

    A project that fails and a Python that lacks something are results, not exceptions.
    """
    if not (project / SMOKE_TEST).is_file():
        reason = f"there is no `{SMOKE_TEST.as_posix()}` in `{project}`"
        return SmokeResult(reason=reason, hint="`trainspec compile` writes it")
    try:
        lacking = _lacking(project, _installed(python))
    except (OSError, subprocess.CalledProcessError) as error:
        return SmokeResult(exit_code=4, reason=f"`{python}` cannot be run: {error}")
    if lacking:
        install = shlex.join([str(python), "-m", "pip", "install", f"{project}[dev]"])
        reason = f"`{python}` lacks {', '.join(lacking)}"
        return SmokeResult(exit_code=4, reason=reason, hint=f"install it with `{install}`")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="trainspec-smoke-") as folder:
        report = Path(folder) / "report.xml"
        code, output = _run_pytest(project, python, report, on_line)
        stages = _read_report(report)
    passed = code == 0 and bool(stages)
    if passed:
        reason = ""
    elif failed := [stage for stage in stages if stage.outcome == "failed"]:
        reason = failed[0].text
    else:
        reason = f"pytest ended with exit code {code} before a stage was tried"
    return SmokeResult(
        stages=stages,
        exit_code=0 if passed else 1,
        reason=reason,
        seconds=time.monotonic() - started,
        output=output,
    )


def _python_in(environment: Path) -> Path:
    windows = environment / "Scripts" / "python.exe"
    return windows if windows.exists() else environment / "bin" / "python"


def _installed(python: Path) -> dict[str, str]:
    """The version of every distribution of a Python, by normal name."""
    done = subprocess.run(
        [python, "-c", _LIST_VERSIONS], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    pairs = (line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    return {_normal(name): version for name, version in pairs}


def _lacking(project: Path, installed: Mapping[str, str]) -> list[str]:
    """What the project needs and the Python has not, or has in another version."""
    lacking: list[str] = []
    for requirement in [*_requirements(project), "pytest"]:
        name, wanted = _split(requirement)
        version = installed.get(_normal(name))
        if version is None:
            lacking.append(f"`{name}`")
        elif not all(_meets(version, clause) for clause in wanted.split(",") if clause):
            lacking.append(f"`{requirement}` (it has {version})")
    return lacking


def _requirements(project: Path) -> list[str]:
    """The dependencies in the project's pyproject.toml, none where it cannot be read."""
    try:
        table: dict[str, Any] = tomllib.loads(
            (project / "pyproject.toml").read_text(encoding="utf-8")
        )
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return []
    match table:
        case {"project": {"dependencies": list(entries)}}:
            listed = cast("list[object]", entries)
            # A requirement with a marker or an address is left to pip.
            return [
                entry for entry in listed if isinstance(entry, str) and not set(entry) & {*";@"}
            ]
        case _:
            return []


def _split(requirement: str) -> tuple[str, str]:
    """The name of a requirement and its version clauses, without extras and blanks."""
    found = re.match(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?(.*)", requirement.replace(" ", ""))
    return (found[1], found[2]) if found else (requirement, "")


def _meets(version: str, clause: str) -> bool:
    """Whether a version lies within one clause; other clauses than bounds are left to pip."""
    found = re.fullmatch(r"(>=|<|==)([0-9.]+)", clause)
    if found is None:
        return True
    have, bound = _numbers(version), _numbers(found[2])
    width = max(len(have), len(bound))
    have, bound = have + (0,) * (width - len(have)), bound + (0,) * (width - len(bound))
    match found[1]:
        case ">=":
            return have >= bound
        case "<":
            return have < bound
        case _:
            return have == bound


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _run_pytest(
    project: Path, python: Path, report: Path, on_line: Callable[[str], None]
) -> tuple[int, str]:
    """Run the smoke test to its end; gives the exit code and all that was printed."""
    options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
    environment = {**os.environ, **OFFLINE}
    environment.pop("PYTEST_ADDOPTS", None)
    lines: list[str] = []
    with subprocess.Popen(
        [python, "-m", "pytest", SMOKE_TEST, *options, f"--junitxml={report}"],
        cwd=project,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            for line in process.stdout or ():
                lines.append(line)
                on_line(line.rstrip("\n"))
        except BaseException:
            process.kill()
            raise
    return process.returncode, "".join(lines)


def _read_report(report: Path) -> tuple[StageVerdict, ...]:
    """The verdicts in pytest's report, none where it is missing or cut off."""
    try:
        root = ElementTree.parse(report).getroot()  # noqa: S314  # written by the pytest just run
    except (OSError, ElementTree.ParseError):
        return ()
    return tuple(_verdict(case) for case in root.iter("testcase"))


def _verdict(case: ElementTree.Element) -> StageVerdict:
    test = case.get("name", "")
    bracket = re.search(r"\[(.+)\]$", test)
    name = bracket[1] if bracket else test or "tests/test_smoke.py"
    notes = {entry.get("name"): entry.get("value", "") for entry in case.iter("property")}
    replaced = notes.get("replaced", "")
    for element in case:
        match element.tag:
            case "failure" | "error":
                return StageVerdict(name, "failed", _message(element), replaced)
            case "skipped":
                return StageVerdict(name, "not run", element.get("message", ""), replaced)
            case _:
                pass
    return StageVerdict(name, "passed", notes.get("verdict", "passed"), replaced)


def _message(element: ElementTree.Element) -> str:
    """The sentence of a failure, without pytest's own words around it."""
    message = element.get("message", "")
    if message == "collection failure":
        errors = re.findall(r"^E\s+(\S.*)", element.text or "", re.MULTILINE)
        message = errors[-1] if errors else message
    setup = re.fullmatch(r'failed on (?:setup|teardown) with "(.*)"', message, re.DOTALL)
    message = setup[1] if setup else message
    return message.removeprefix("AssertionError: ").partition("\nassert ")[0].strip()
