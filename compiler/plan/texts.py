"""Contexts of the pages and of the files that are no Python."""

from dataclasses import dataclass

__all__ = [
    "AboutFile",
    "PlanPage",
    "PyprojectFile",
    "ReadmePage",
    "RewardRow",
    "RunFile",
    "Setting",
    "StageRow",
]


@dataclass(frozen=True, slots=True)
class PyprojectFile:
    """Context of the project's pyproject.toml; every value is TOML text."""

    name: str
    description: str
    python: str
    dependencies: tuple[str, ...]
    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AboutFile:
    """A file of the project and what it is."""

    path: str
    about: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A row of PLAN.md's table of settings."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class StageRow:
    """A stage as the pages show it."""

    name: str
    method: str
    start: str
    arithmetic: str = ""
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True, slots=True)
class RewardRow:
    """A row of PLAN.md's table of rewards."""

    name: str
    kind: str
    range: str
    weights: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadmePage:
    """Context of README.md."""

    title: str
    description: str
    summary: str
    stages: tuple[StageRow, ...]
    rewards: bool
    sft: bool
    grpo: bool
    files: tuple[AboutFile, ...]
    spec: str
    version: str


@dataclass(frozen=True, slots=True)
class PlanPage:
    """Context of PLAN.md."""

    title: str
    stages: tuple[StageRow, ...]
    paid_stages: tuple[str, ...]
    rewards: tuple[RewardRow, ...]
    data: tuple[str, ...]
    prompt: str
    prompt_note: str
    machine: tuple[str, ...]
    spec: str


@dataclass(frozen=True, slots=True)
class RunFile:
    """Context of run.sh."""

    stages: tuple[str, ...]
    gpu: bool
    evaluates: bool
