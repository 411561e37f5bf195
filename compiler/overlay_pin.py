"""The commit of an overlay that a project was last compiled with."""

from typing import Any, NamedTuple

__all__ = ["OverlayPin", "pin_of"]


class OverlayPin(NamedTuple):
    """The commit of an overlay, with the source and the `ref` that it was fetched for."""

    source: str
    ref: str | None
    commit: str


def pin_of(record: Any) -> OverlayPin:  # noqa: ANN401  # JSON
    """Read a pin from the state of a project; raises `ValueError` where it is none."""
    match record:
        case {"source": str(source), "ref": str() | None as ref, "commit": str(commit)}:
            return OverlayPin(source, ref, commit)
        case _:
            message = "`overlay` lacks `source`, `ref` or `commit`"
            raise ValueError(message)
