"""Runs the smoke test of a project on disk in a Python that has the training packages."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree as ET

from compiler.installed import BrokenPythonError, lacking_packages

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
        given = explicit.absolute()  # not resolved: a link leads out of its environment
        return (_python_in(given) if given.is_dir() else given), "given by `--python`"
    if (python := _python_in(project.absolute() / ".venv")).exists():
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
        lacking = lacking_packages(project, python)
    except BrokenPythonError as error:
        return SmokeResult(exit_code=4, reason=f"`{python}` cannot be run: {error}")
    if lacking:
        # To pip a bare name is a package of its index, not a folder.
        folder = project if project.is_absolute() or project == Path() else f"./{project}"
        install = shlex.join([str(python), "-m", "pip", "install", f"{folder}[dev]"])
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


def _run_pytest(
    project: Path, python: Path, report: Path, on_line: Callable[[str], None]
) -> tuple[int, str]:
    """Run the smoke test to its end; gives the exit code and all that was printed."""
    options = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
    options += ["-o", "junit_family=xunit1"]  # the form that holds what a test records
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
        root = ET.parse(report).getroot()  # noqa: S314  # written by the pytest just run
    except (OSError, ET.ParseError):
        return ()
    return tuple(_verdict(case) for case in root.iter("testcase"))


def _verdict(case: ET.Element) -> StageVerdict:
    test = case.get("name", "")
    bracket = re.search(r"\[(.+)\]$", test)
    name = bracket[1] if bracket else test.removeprefix("test_") or "tests/test_smoke.py"
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


def _message(element: ET.Element) -> str:
    """The sentence of a failure, without pytest's own words around it."""
    message = element.get("message", "")
    if message == "collection failure":
        message = _import_error(element.text or "") or message
    setup = re.fullmatch(r'failed on (?:setup|teardown) with "(.*)"', message, re.DOTALL)
    message = setup[1] if setup else message
    return message.removeprefix("AssertionError: ").partition("\nassert ")[0].strip()


def _import_error(text: str) -> str | None:
    """Why the test could not be imported; with the import of the project that a package failed."""
    errors = re.findall(r"^E\s+(\S.*)", text, re.MULTILINE)
    if not errors:
        return None
    frames = re.findall(r"^(\S+):\d+: in .*\n\s+(.*)", text, re.MULTILINE)
    own = [line for path, line in frames if not _is_installed(path)]
    broken = own and _is_installed(frames[-1][0])
    return f"`{own[-1]}` fails: {errors[-1]}" if broken else errors[-1]


def _is_installed(path: str) -> bool:
    return path.startswith(("/", "..")) or "site-packages" in path
