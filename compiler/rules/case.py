"""What a rule looks at, and how it reports at the exact key."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from compiler.diagnostics import Place, Related, Report
from compiler.local_data import DataError, Shape, shape_of
from compiler.parse import Document, KeyPath
from spec_schema import TaskSpec
from spec_schema.data import PathSource

__all__ = ["Case"]


@dataclass(frozen=True, slots=True)
class Case:
    """One spec under the rules: its values, their places, and the report."""

    spec: TaskSpec
    document: Document
    report: Report
    _shapes: dict[str, Shape | None] = field(default_factory=dict[str, "Shape | None"])

    def shape(self, source: object) -> Shape | None:
        """The shape of a source that is a readable file, read once; else None."""
        if not isinstance(source, PathSource):
            return None
        if source.path not in self._shapes:
            try:
                found = shape_of(self.folder / source.path, source.delimiter, source.encoding)
            except (DataError, LookupError, OSError):
                found = None
            self._shapes[source.path] = found
        return self._shapes[source.path]

    @property
    def folder(self) -> Path:
        """The spec's folder, which is the project's."""
        return self.document.source.path.parent

    def place(self, path: KeyPath, at: Literal["key", "value"] = "value") -> Place:
        """The place of a key or of its value."""
        return self.document.key_place(path) if at == "key" else self.document.value_place(path)

    def writes(self, path: KeyPath) -> bool:
        """Whether the spec writes this key."""
        return path in self.document.key_spans

    def error(
        self,
        code: str,
        path: KeyPath,
        message: str,
        *hints: str,
        at: Literal["key", "value"] = "value",
        related: tuple[tuple[KeyPath, str], ...] = (),
    ) -> None:
        """Report an error at a key of the spec."""
        self.report.error(
            code, message, self.place(path, at), hints=hints, related=self._related(related)
        )

    def warning(
        self,
        code: str,
        path: KeyPath,
        message: str,
        *hints: str,
        at: Literal["key", "value"] = "value",
    ) -> None:
        """Report a warning at a key of the spec."""
        self.report.warning(code, message, self.place(path, at), hints=hints)

    def _related(self, related: tuple[tuple[KeyPath, str], ...]) -> tuple[Related, ...]:
        return tuple(Related(self.place(path, "key"), message) for path, message in related)
