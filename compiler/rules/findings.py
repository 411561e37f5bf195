"""A finding of the stack's tables as a diagnostic with a place."""

from compiler.diagnostics import Place, Report, Severity
from compiler.stack import Finding

__all__ = ["report_finding"]


def report_finding(report: Report, finding: Finding, place: Place) -> None:
    """Report what a table of the stack says of a value."""
    add = report.error if finding.severity is Severity.ERROR else report.warning
    add(finding.code, finding.message, place, hints=(finding.hint,) if finding.hint else ())
