"""The `[project]` table: what the project is called and in which order its stages run."""

from typing import Literal

from pydantic import Field

from spec_schema.base import Name, NonEmptyText, Table

__all__ = ["PROJECT_NAME_PATTERN", "Project"]

PROJECT_NAME_PATTERN = r"^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$"


class Project(Table):
    """What the project is called and in which order its stages run."""

    name: str = Field(
        min_length=1,
        max_length=100,
        pattern=PROJECT_NAME_PATTERN,
        description="Name of the project, also its distribution name: letters, digits, `.`, `_` "
        "and `-`, with a letter or digit at both ends.",
    )
    description: str = Field(default="", description="One line for the README.")
    stages: list[Name] | None = Field(
        default=None,
        min_length=1,
        description="The stages in the order in which they run. "
        "May be left out where there is one stage.",
    )
    stack: NonEmptyText | None = Field(
        default=None,
        description="Version set and edition of the defaults, such as `trl-1.16`. "
        "Left out: that of the first compile.",
    )
    seed: int = Field(
        default=42, ge=0, lt=2**32, description="Seed of the sampling of rows and of training."
    )
    ci: Literal["github", "none"] = Field(
        default="github", description="Continuous integration that is written with the project."
    )
