"""All rules over one folder, and what they found in the order of its files."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from compiler.diagnostics import Diagnostic
from compiler.lint.arguments import (
    config_arguments,
    config_attributes,
    loading_arguments,
    trainer_arguments,
)
from compiler.lint.contract import reward_contract
from compiler.lint.folder import Edit, Linted, LintReport, read_linted
from compiler.lint.leftovers import conflict_markers, leftover_files, syntax
from compiler.lint.load_order import config_before_model
from compiler.lint.model_text import model_text
from compiler.lint.names import ruff_findings
from compiler.lint.readers import one_reader
from compiler.lint.shadows import values_of_the_spec
from compiler.lint.siblings import names_of_siblings
from compiler.lint.suppression import without_suppressed
from compiler.lint.types import pyright_findings
from compiler.lint.versions import versions_of_the_stack
from compiler.lint.weights import equal_lengths, listed_rewards, weights_count
from compiler.pipeline import Findings

__all__ = ["RULES", "Linting", "lint", "lint_types"]

Rule = Callable[[Linted, LintReport], None]

RULES: tuple[Rule, ...] = (
    syntax,
    conflict_markers,
    leftover_files,
    ruff_findings,
    names_of_siblings,
    config_arguments,
    config_attributes,
    trainer_arguments,
    loading_arguments,
    reward_contract,
    model_text,
    equal_lengths,
    weights_count,
    listed_rewards,
    config_before_model,
    one_reader,
    versions_of_the_stack,
    values_of_the_spec,
)


class Linting(NamedTuple):
    """A folder, what was found in it, and the edits that mend some of that.

    `report` holds what comments leave out too; `only` is the one file that was asked for.
    """

    linted: Linted
    diagnostics: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...]
    report: LintReport
    only: Path | None

    @property
    def findings(self) -> Findings:
        """The findings as a command shows them."""
        return Findings(list(self.diagnostics), {**self.report.sources, **self.linted.sources})


def lint(path: Path, report: LintReport | None = None) -> Linting:
    """Look at a folder or at one script by every rule; nothing is run or imported, but for ruff.

    A file of a project is judged within its project. Raises `Stop` where there is nothing to lint,
    which the report then says; what is given collects on.
    """
    report = LintReport() if report is None else report
    linted = read_linted(path, report)
    for rule in RULES:
        rule(linted, report)
    return _linting(linted, report, None if path.is_dir() else path)


def lint_types(linting: Linting, python: Path) -> tuple[Linting, str | None]:
    """Add what pyright finds in a project; gives why it was skipped, None where it was not."""
    if linting.linted.last is None:
        return linting, None
    # A comment may leave out what pyright finds, so that all findings are gone through once more.
    skipped = pyright_findings(linting.linted, python, linting.report)
    return _linting(linting.linted, linting.report, linting.only), skipped


def _linting(linted: Linted, report: LintReport, only: Path | None) -> Linting:
    found = without_suppressed(linted, report.diagnostics)
    if only is not None and only.suffix == ".py":
        found = [each for each in found if each.place and Path(each.place.file) == only]
    found.sort(key=_order)
    kept = {each.place for each in found}
    edits = tuple(edit for edit in dict.fromkeys(report.edits) if edit.place in kept)
    return Linting(linted, tuple(dict.fromkeys(found)), edits, report, only)


def _order(found: Diagnostic) -> tuple[str, int]:
    return ("", 0) if found.place is None else (found.place.file, found.place.span.start)
