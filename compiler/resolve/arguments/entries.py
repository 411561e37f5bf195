"""An argument of a config with where its value comes from."""

from compiler.literals import literal
from compiler.plan.values import Argument, Origin, OriginKind, Planned

__all__ = ["chosen", "computed", "defaulted", "keyed", "tiered"]


def keyed(name: str, value: object, path: tuple[str | int, ...], *, comment: str = "") -> Argument:
    """An argument that is a key of the spec, written there or left at the language's default."""
    return Argument(name, Planned(value, literal(value), Origin("spec", path=path)), comment)


def tiered(name: str, value: object, *, comment: str = "") -> Argument:
    """An argument that the tier decides."""
    return Argument(name, _planned(value, "tier", comment or "the tier's mechanics"), comment)


def chosen(name: str, value: object, *, comment: str = "") -> Argument:
    """An argument that is the same in every project."""
    return Argument(name, _planned(value, "compiler", comment), comment)


def defaulted(name: str, value: object, reason: str, *, comment: str = "") -> Argument:
    """An argument that the spec leaves out, with the source of its value."""
    return Argument(name, _planned(value, "default", reason), comment)


def computed(name: str, code: str, *, comment: str = "") -> Argument:
    """An argument whose value a function of the project gives."""
    return Argument(
        name, Planned(None, code, Origin("compiler", "the project's own function")), comment
    )


def _planned(value: object, kind: OriginKind, reason: str) -> Planned:
    return Planned(value, literal(value), Origin(kind, reason))
