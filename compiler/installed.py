"""What a Python lacks of the packages that a project needs, without importing any of them."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["BrokenPythonError", "lacking_packages"]

# What the smoke test puts aside because it needs a GPU; it may be missing, but not be another
# release.
_FOR_A_GPU = frozenset({"bitsandbytes", "deepspeed", "unsloth", "unsloth-zoo", "vllm"})

_LIST_VERSIONS = """\
import importlib.metadata
for distribution in importlib.metadata.distributions():
    print(distribution.metadata["Name"], distribution.version)
"""


class BrokenPythonError(Exception):
    """A Python that does not run; the text says why."""


def lacking_packages(project: Path, python: Path) -> list[str]:
    """Name what the project's tests need and a Python has not, or has in another version.

    Raises `BrokenPythonError` where the Python cannot say.
    """
    installed = _installed(python)
    lacking: list[str] = []
    for requirement in [*_requirements(project), "pytest"]:
        name, wanted = _split(requirement)
        version = installed.get(_normal(name))
        if version is None and _normal(name) in _FOR_A_GPU:
            continue
        if version is None:
            lacking.append(f"`{name}`")
        elif not all(_meets(version, clause) for clause in wanted.split(",") if clause):
            lacking.append(f"`{requirement}` (it has {version})")
    return lacking


def _installed(python: Path) -> dict[str, str]:
    """The version of every distribution of a Python, by normal name."""
    try:
        done = subprocess.run(
            [python, "-c", _LIST_VERSIONS],
            capture_output=True,
            text=True,
            check=False,
            encoding="utf-8",
        )
    except OSError as error:
        raise BrokenPythonError(error.strerror or str(error)) from error
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise BrokenPythonError(last)
    # Of two of one name Python takes the first.
    lines = [line for line in reversed(done.stdout.splitlines()) if " " in line]
    return {_normal(name): version for name, version in (line.split(" ", 1) for line in lines)}


def _requirements(project: Path) -> list[str]:
    """What the project's pyproject.toml asks for to train, nothing where it cannot be read."""
    try:
        table = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return []
    listed: list[Any]
    extra: list[Any]
    match table:
        case {"project": {"dependencies": [*listed], "optional-dependencies": {"vllm": [*extra]}}}:
            listed += extra
        case {"project": {"dependencies": [*listed]}}:
            pass
        case _:
            return []
    # A requirement with a marker or an address is left to pip.
    return [text for text in listed if isinstance(text, str) and not {";", "@"} & {*text}]


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
