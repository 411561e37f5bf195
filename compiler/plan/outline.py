"""What is known of a project before its files are planned: as much as a check looks at."""

from typing import NamedTuple

from compiler.plan.stages import StagePlan
from compiler.stack import Variant

__all__ = ["Outline"]


class Outline(NamedTuple):
    """The resolved stages of a project, and the paths in its folder.

    `variant` is the version set of the stack. `named_files` are the files that the spec names,
    relative to its folder; `written_files` those that a compile writes.
    """

    stack: str
    variant: Variant
    stages: tuple[StagePlan, ...]
    named_files: tuple[str, ...]
    written_files: frozenset[str]
