"""The whole plan of a project: its files, each with its template and context."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from compiler.plan.rewards import RewardPlan
from compiler.plan.stages import StagePlan
from compiler.stack import Variant

__all__ = ["PlannedFile", "ProjectPlan"]

PLAN_VERSION = 1


class PlannedFile(NamedTuple):
    """A file to write: its path in the project, its template with context, its pieces."""

    path: str
    template: str
    context: Any
    pieces: tuple[str, ...] = ()
    provided: Mapping[str, str] = MappingProxyType({})


class ProjectPlan(NamedTuple):
    """Everything that is decided about a project.

    `variant` is the version set of the stack. `named_files` are the files that the spec names,
    relative to its folder; `modules` the import names of the project's own Python files.
    """

    project_name: str
    stack: str
    variant: Variant
    stages: tuple[StagePlan, ...]
    rewards: tuple[RewardPlan, ...]
    files: tuple[PlannedFile, ...]
    named_files: tuple[str, ...]
    modules: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The plan as plain data under a version number, for `plan --format json`."""
        return {"version": PLAN_VERSION, **_plain(self)}


def _plain(value: Any) -> Any:  # noqa: ANN401  # a plan holds any TOML value
    """A record as a table of its fields, and so for all that is in it."""
    match value:
        case Mapping():
            table = cast("Mapping[str, Any]", value)
            return {key: _plain(inner) for key, inner in table.items()}
        case tuple() | list():
            record = cast("tuple[Any, ...]", value)
            items = [_plain(inner) for inner in record]
            names: tuple[str, ...] | None = getattr(record, "_fields", None)
            return items if names is None else dict(zip(names, items, strict=True))
        case _:
            return value
