"""What a rule looks at, and how it reports at the exact key."""

from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple, cast

from compiler.diagnostics import Place, Related, Report
from compiler.local_data import DataError, Shape, joined, shape_of
from compiler.parse import Document, KeyPath
from compiler.resolve.generated import GENERATED_COLUMNS, is_generated
from spec_schema import TaskSpec
from spec_schema.data import PathSource, RowSource

__all__ = ["Case", "is_inside"]


class Case(NamedTuple):
    """One spec under the rules: its values, their places, and the report."""

    spec: TaskSpec
    document: Document
    report: Report

    def shape(self, source: object) -> Shape | None:
        """The shape of made rows, of a readable file with rows, or of a list of such, else None."""
        if isinstance(source, list):
            sources = cast("list[RowSource]", source)
            shapes = [(self.shape(each), each.share) for each in sources]
            known = [(shape, share) for shape, share in shapes if shape is not None]
            return joined(known) if len(known) == len(sources) else None
        if is_generated(source):
            return Shape(GENERATED_COLUMNS, source.rows)
        if not isinstance(source, PathSource) or not self.has_file(source.path):
            return None
        try:
            found = shape_of(self.folder / source.path, source.delimiter, source.encoding)
        except (DataError, OSError):
            return None
        return None if found is None or found.rows == 0 else found

    @property
    def folder(self) -> Path:
        """The spec's folder, which is the project's."""
        return self.document.source.path.parent

    def has_file(self, name: str) -> bool:
        """Whether there is a file of that name in the spec's folder."""
        # A name that is too long, or that the file system cannot spell, is no file.
        try:
            return is_inside(name) and (self.folder / name).is_file()
        except (OSError, ValueError):
            return False

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
        related: tuple[tuple[KeyPath, str], ...] = (),
    ) -> None:
        """Report a warning at a key of the spec."""
        self.report.warning(
            code, message, self.place(path, at), hints=hints, related=self._related(related)
        )

    def _related(self, related: tuple[tuple[KeyPath, str], ...]) -> tuple[Related, ...]:
        return tuple(Related(self.place(path, "key"), message) for path, message in related)


def is_inside(name: str) -> bool:
    """Whether a path as it is written stays in the folder that it is relative to."""
    path = PurePosixPath(name)
    drive = name[1:2] == ":" and name[:1].isalpha()
    outside = path.is_absolute() or drive or name.startswith("~") or ".." in path.parts
    return bool(path.name) and not outside and "\\" not in name
