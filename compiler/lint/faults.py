"""The errors of a project as texts, for a look at what a merge has broken."""

from collections.abc import Mapping
from pathlib import Path

from compiler.changes import Fault
from compiler.diagnostics import Severity
from compiler.lint.arguments import (
    config_arguments,
    config_attributes,
    loading_arguments,
    trainer_arguments,
)
from compiler.lint.contract import reward_contract
from compiler.lint.folder import LintReport, linted_texts
from compiler.lint.names import undefined_names
from compiler.lint.siblings import names_of_siblings
from compiler.lint.weights import equal_lengths, weights_count
from compiler.source import SourceFile

__all__ = ["project_faults"]

_RULES = (
    names_of_siblings,
    config_arguments,
    config_attributes,
    trainer_arguments,
    loading_arguments,
    reward_contract,
    equal_lengths,
    weights_count,
)


def project_faults(texts: Mapping[str, str]) -> list[Fault]:
    """Name what cannot run in a project: syntax, undefined names, arguments, rewards, weights.

    No message holds a line, so that a fault is the same one after a merge has moved it.
    """
    sources = {path: SourceFile(Path(path), path, text) for path, text in texts.items()}
    linted = linted_texts(Path(), sources, None)
    report = LintReport()
    undefined_names(linted.modules, report)
    for rule in _RULES:
        rule(linted, report)
    faults = [
        # Without the reason, for a merge may give the same broken lines another one.
        Fault(path, module.source.line_and_column(module.fault[1].start)[0], "it cannot be parsed")
        for path, module in linted.modules.items()
        if module.fault is not None
    ]
    for found in report.diagnostics:
        if found.severity is Severity.ERROR and found.place is not None:
            line, _ = sources[found.place.file].line_and_column(found.place.span.start)
            faults.append(Fault(found.place.file, line, found.message))
    return faults
