"""Versions that a project asks for, held against those of its stack."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from compiler.diagnostics import Place, Report, Span
from compiler.lint.folder import Linted
from compiler.source import SourceFile
from compiler.stack import Stack

__all__ = ["Pin", "is_older", "pinned", "versions_of_the_stack"]

_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*([^;#@]*)")
_CLAUSE = re.compile(r"(===|==|~=|!=|>=|<=|>|<)\s*([0-9]+(?:\.[0-9]+)*)(\.\*)?[^,]*")
_LOCKS = {"uv.lock", "pylock.toml"}

Version = tuple[int, ...]
_ENDLESS: Version = (1 << 30,)


class Pin(NamedTuple):
    """The versions that a requirement allows: from `low` up to `high`, which is left out."""

    name: str
    text: str
    low: Version
    high: Version
    place: Place

    def is_before(self, release: str) -> bool:
        """Whether every version that is allowed is older than a release."""
        return self.high <= _numbers(release)

    def ends_by(self, release: str) -> bool:
        """Whether no version that is allowed is newer than a minor release and its patches."""
        return self.high <= _next(_numbers(release))


def pinned(linted: Linted, package: str) -> Pin | None:
    """Give what the folder asks for of a package, where it says so at all."""
    pins = [pin for pin in _pins(linted) if pin.name == package]
    return min(pins, key=lambda pin: pin.high, default=None)


def is_older(pin: Pin | None, stack: Stack) -> bool:
    """Whether only older releases of TRL are allowed than the stack has."""
    return pin is not None and pin.high <= _bounds(stack.packages["trl"].requires)[0]


def versions_of_the_stack(linted: Linted, report: Report) -> None:
    """A project asks for versions that its stack was tested with, and locks no others."""
    if linted.last is None:
        return
    for pin in _pins(linted):
        package = linted.stack.all_packages.get(pin.name)
        if package is None:
            continue
        low, high = _bounds(package.requires)
        wanted = f"the stack {linted.stack.title} has `{package.name}{package.requires}`"
        if pin.high <= low or pin.low >= high:
            message = f"`{pin.name}{pin.text}` is outside the stack of this project"
            report.error("outside-stack", message, pin.place, hints=(wanted,))
        elif pin.low < low or pin.high > high:
            message = f"`{pin.name}{pin.text}` allows versions outside the stack of this project"
            report.warning("outside-stack", message, pin.place, hints=(wanted,))


def _pins(linted: Linted) -> Iterator[Pin]:
    for path, source in linted.texts.items():
        name = PurePosixPath(path).name
        if name == "pyproject.toml" and "/" not in path:
            yield from _of_project(source)
        elif name.startswith("requirements") and path.endswith((".txt", ".in")):
            yield from _of_requirements(source)
        elif name in _LOCKS and "/" not in path:
            yield from _of_lock(source)


def _of_project(source: SourceFile) -> Iterator[Pin]:
    match _table(source).get("project"):
        case {**project}:
            listed: list[Any] = [*project.get("dependencies", [])]
            for extra in project.get("optional-dependencies", {}).values():
                listed += extra
        case _:
            return
    for text in listed:
        start = source.text.find(text) if isinstance(text, str) else -1
        if start >= 0 and (pin := _pin(text, source.place(Span(start, start + len(text))))):
            yield pin


def _of_requirements(source: SourceFile) -> Iterator[Pin]:
    start = 0
    for line in source.text.split("\n"):
        text = line.partition("#")[0].rstrip()
        if text and not text.lstrip().startswith("-"):
            pin = _pin(text, source.place(Span(start, start + len(text))))
            if pin is not None:
                yield pin
        start += len(line) + 1


def _of_lock(source: SourceFile) -> Iterator[Pin]:
    for entry in re.finditer(r'^name = "([^"]+)"\nversion = "([^"]+)"', source.text, re.MULTILINE):
        pin = _pin(f"{entry[1]}=={entry[2]}", source.place(Span(*entry.span())))
        if pin is not None:
            yield pin


def _table(source: SourceFile) -> dict[str, Any]:
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError:
        return {}  # ruff, which reads its settings there, says what is wrong


def _pin(requirement: str, place: Place) -> Pin | None:
    """Read a requirement; None where it names no versions that can be compared, such as a URL."""
    found = _NAME.match(requirement)
    if found is None or "@" in requirement:
        return None
    clauses = re.sub(r"\s+", "", found[2])
    name = re.sub(r"[-_.]+", "-", found[1]).lower()
    return Pin(name, clauses, *_bounds(clauses), place)


def _bounds(clauses: str) -> tuple[Version, Version]:
    """Give the lowest version that clauses allow, and the end of what they allow."""
    low: Version = (0,)
    high = _ENDLESS
    for clause in _CLAUSE.finditer(clauses):
        sign, version, prefix = clause[1], _numbers(clause[2]), clause[3]
        if sign in ("==", "==="):
            low, high = max(low, version), min(high, _next(version) if prefix else (*version, 1))
        elif sign == "~=":
            low, high = max(low, version), min(high, _next(version[:-1]))
        elif sign in (">=", ">"):
            low = max(low, version)
        elif sign in ("<", "<="):
            high = min(high, version if sign == "<" else (*version, 1))
    return _plain(low), _plain(high)


def _plain(version: Version) -> Version:
    """Give a version without the zeros at its end, which say nothing: 1.17 is 1.17.0."""
    while len(version) > 1 and version[-1] == 0:
        version = version[:-1]
    return version


def _next(version: Version) -> Version:
    """Give the first version behind all that begin with this one."""
    return (*version[:-1], version[-1] + 1)


def _numbers(version: str) -> Version:
    return tuple(int(part) for part in re.findall(r"\d+", version))
