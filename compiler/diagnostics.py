"""One finding with a place, and the collector that a phase reports into."""

from enum import StrEnum
from typing import NamedTuple

__all__ = ["Diagnostic", "Place", "Related", "Report", "Severity", "Span", "Stop"]


class Severity(StrEnum):
    """How a finding counts: an error stops the pipeline behind its phase, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


class Span(NamedTuple):
    """A half-open range of characters in one source text."""

    start: int
    end: int


class Place(NamedTuple):
    """A span in a file, named as the user named it."""

    file: str
    span: Span


class Related(NamedTuple):
    """A second place that a finding speaks of."""

    place: Place
    message: str


class Diagnostic(NamedTuple):
    """What is wrong, where (`label` stands at the caret), and what to do (`hints`).

    `code` is a slug with a page in `compiler/explain/` and a case in `tests/cases/`.
    """

    code: str
    severity: Severity
    message: str
    place: Place | None = None
    label: str | None = None
    hints: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()


class Stop(Exception):
    """Raised between phases when one has reported an error; the command line catches it."""


class Report:
    """Collects every finding of a run, in the order in which they were made."""

    def __init__(self) -> None:
        """Begin with no finding."""
        self.diagnostics: list[Diagnostic] = []

    def error(
        self,
        code: str,
        message: str,
        place: Place | None = None,
        *,
        label: str | None = None,
        hints: tuple[str, ...] = (),
        related: tuple[Related, ...] = (),
    ) -> None:
        """Add an error."""
        self.diagnostics.append(
            Diagnostic(code, Severity.ERROR, message, place, label, hints, related)
        )

    def warning(
        self,
        code: str,
        message: str,
        place: Place | None = None,
        *,
        label: str | None = None,
        hints: tuple[str, ...] = (),
        related: tuple[Related, ...] = (),
    ) -> None:
        """Add a warning."""
        self.diagnostics.append(
            Diagnostic(code, Severity.WARNING, message, place, label, hints, related)
        )

    @property
    def has_errors(self) -> bool:
        """Whether any finding so far is an error."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    def stop_if_errors(self) -> None:
        """End the pipeline here if a phase before reported an error; raises `Stop`."""
        if self.has_errors:
            raise Stop
