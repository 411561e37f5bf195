"""A plan and the templates become a tree of files, and nothing is decided on the way."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from compiler.assemble import assemble
from compiler.pieces import read_piece
from compiler.places import templates_folder
from compiler.plan.project import PlannedFile, ProjectPlan

__all__ = ["FileTree", "emit"]

FileTree = dict[str, str]
"""Path relative to the project, with forward slashes, to the file's text."""


def emit(plan: ProjectPlan) -> FileTree:
    """Every file of the plan as text, before formatting."""
    return {file.path: _render(file) for file in plan.files}


def _render(file: PlannedFile) -> str:
    python = file.template.endswith(".py.jinja")
    environment = _python_environment() if python else _text_environment()
    text = environment.get_template(file.template).render(plan=file.context)
    if not file.pieces:
        return text
    return assemble(text, file.pieces, read_piece, file.provided)


@cache
def _python_environment() -> Environment:
    """Statements behind `# jinja:`, so that a template of a Python file is itself Python."""
    return Environment(
        loader=FileSystemLoader(templates_folder() / "project"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  # the output is Python; values are literals already
        keep_trailing_newline=True,
        line_statement_prefix="# jinja:",
        line_comment_prefix="# context:",
    )


@cache
def _text_environment() -> Environment:
    """Delimiters that YAML, shell, TOML and Markdown leave alone: `<< >>`, `<% %>`, `<# #>`."""
    return Environment(
        loader=FileSystemLoader(templates_folder() / "project"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  # the output is text; values have a writer per target
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
