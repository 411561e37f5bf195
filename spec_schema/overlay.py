"""`[project] overlay`: files of a team's own for every project, imported where a spec has one."""

from typing import Annotated

from pydantic import Field

from spec_schema.base import NonEmptyText, Table

__all__ = ["REF_PATTERN", "Overlay"]

# What git takes for a branch, tag or commit, without what it takes for an option or a range.
REF_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_+/-]*(?:\.[A-Za-z0-9_+/-]+)*$"


class Overlay(Table):
    """A Copier template of your own, whose files are written and merged with the project's.

    It is rendered with the plan, as `plan --format json` prints it, under the name `plan`.
    """

    source: NonEmptyText = Field(
        description="Where the template is: `gh:owner/name`, `gl:owner/name`, a URL that git "
        "clones, or a folder whose path begins with `./`, `../` or `/`, relative to the spec's "
        "folder, outside which it may lie."
    )
    ref: Annotated[str, Field(pattern=REF_PATTERN)] | None = Field(
        default=None,
        description="Branch, tag or commit of its repository. The commit is kept with the project "
        "and moves only with `--upgrade`. Left out: the main branch; a folder is read as it "
        "stands.",
    )
