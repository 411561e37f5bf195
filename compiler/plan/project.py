"""The whole plan of a project: its files, each with its template and context."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from compiler.plan.stages import RewardPlan, StagePlan

__all__ = ["PlannedFile", "ProjectPlan"]

PLAN_VERSION = 1


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file to write: its path in the project, its template with context, its pieces."""

    path: str
    template: str
    context: Any
    pieces: tuple[str, ...] = ()
    provided: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """Everything that is decided about a project.

    `named_files` are the files that the spec names, relative to its folder; `modules` the import
    names of the project's own Python files.
    """

    project_name: str
    stack: str
    stages: tuple[StagePlan, ...]
    rewards: tuple[RewardPlan, ...]
    files: tuple[PlannedFile, ...]
    named_files: tuple[str, ...]
    modules: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data under a version number, for `plan --format json`."""
        return {"version": PLAN_VERSION, **asdict(self)}
