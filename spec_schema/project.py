"""The `[project]` table: what the project is called and in which order its stages run."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from spec_schema.base import LazyTables, Name, NonEmptyText, Table, Variants

if TYPE_CHECKING:
    from spec_schema.overlay import Overlay
else:  # few specs have one
    Overlay = Annotated[Table, Variants(LazyTables("spec_schema", {"overlay": "overlay:Overlay"}))]

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
        description="Version set, with the defaults that come from it, such as `trl-1.16`. "
        "Left out: that of the last compile, at the first the newest; only `compile --upgrade` "
        "moves it.",
    )
    extends: NonEmptyText | None = Field(
        default=None,
        description="Path of a house file with values that several specs share, relative to the "
        "spec's folder; it may lie outside. It is written like a spec, without `spec`, "
        "`project.name` and an `extends` of its own. The spec's values win: tables are merged key "
        "by key, also `[rewards]` and `[stages]` by their names; all else is replaced, a list as "
        "a whole, and a table by one of another kind (`kind`, `method`, `extract`, or a source by "
        "its `hub`, `path`, `python` or `holdout`). Paths in it are relative to the spec's folder.",
    )
    overlay: Overlay | None = Field(
        default=None,
        description="A Copier template of your own, whose files are written with the project's. "
        "Left out: none.",
    )
    seed: int = Field(
        default=42, ge=0, lt=2**32, description="Seed of the sampling of rows and of training."
    )
    notebook: bool = Field(
        default=False,
        description="Whether the project is also written as `notebook.ipynb`: a notebook that "
        "needs no other file, for a host that lends a GPU, such as Colab.",
    )
    ci: Literal["github", "none"] = Field(
        default="github", description="Continuous integration that is written with the project."
    )
