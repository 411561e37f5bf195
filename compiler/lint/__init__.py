"""Lints a project, edited or not, and the TRL scripts that trainspec did not write."""

from compiler.lint.faults import project_faults
from compiler.lint.repair import repair
from compiler.lint.run import Linting, lint, lint_types

__all__ = ["Linting", "lint", "lint_types", "project_faults", "repair"]
