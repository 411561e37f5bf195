"""What is known of other releases: renamed arguments, and which release has a field."""

import functools
import json
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["deprecated", "first_release", "hint", "last_release", "renamed", "trainer_parameters"]

_FOLDER = Path(__file__).parent


def renamed(kind: str, name: str) -> str | None:
    """Give the new name of an argument: of a method's config, of a `trainer`, or of `loading`."""
    return _looked_up("renamed", kind, name)


def deprecated(kind: str, name: str) -> str | None:
    """Give the new name of a config field that is still taken under its old one."""
    return _looked_up("deprecated", kind, name)


def hint(kind: str, name: str) -> str | None:
    """Give what to write instead of an argument that is gone, in a phrase."""
    return _looked_up("hints", kind, name)


def first_release(method: str, name: str) -> str | None:
    """Give the first release of TRL with a field; None where every known one has it."""
    return _releases()["since"][method].get(name)


def last_release(method: str, name: str) -> str | None:
    """Give the last release of TRL with a field that the stack has not; None where none had it."""
    return _releases()["until"][method].get(name)


def trainer_parameters(method: str) -> tuple[str, ...]:
    """Give the parameters of the method's trainer, by TRL's names."""
    return tuple(_releases()["trainers"][method])


def _looked_up(table: str, kind: str, name: str) -> str | None:
    entries = _renames()[table]
    kinds = (kind,) if kind in ("trainer", "loading") else (kind, "all")
    return next((entries[each][name] for each in kinds if name in entries.get(each, {})), None)


@functools.cache
def _renames() -> dict[str, dict[str, dict[str, str]]]:
    return tomllib.loads((_FOLDER / "renames.toml").read_text(encoding="utf-8"))


@functools.cache
def _releases() -> dict[str, Any]:
    return json.loads((_FOLDER / "releases.json").read_bytes())
