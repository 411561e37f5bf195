"""The options that several commands share, and the refusal of those that are not built."""

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = ["SPEC", "Deny", "Form", "Settings", "Spec", "Specs", "unbuilt_flag"]

SPEC = Path("task.toml")
_FORMATS = ("full", "concise", "json")


def _parse_format(value: str) -> str:
    if value not in _FORMATS:
        what = "not built in this version" if value in {"github", "sarif"} else "no format"
        message = f"`{value}` is {what}; choose one of {', '.join(_FORMATS)}"
        raise typer.BadParameter(message)
    return value


def _parse_deny(value: str) -> str:
    if value != "warnings":
        message = f"only `warnings` can be denied, not `{value}`"
        raise typer.BadParameter(message)
    return value


def _refuse_unbuilt(parameter: typer.CallbackParam, value: object) -> None:
    if value:
        message = f"`{parameter.opts[0]}` is not built in this version"
        raise typer.BadParameter(message)


Spec = Annotated[Path, typer.Argument(metavar="SPEC", help="The spec; its folder is the project.")]
Specs = Annotated[list[Path] | None, typer.Argument(metavar="SPEC", help="The specs.")]
Form = Annotated[
    str,
    typer.Option("--format", parser=_parse_format, metavar="FORM", help="full, concise, json."),
]
Deny = Annotated[
    str | None,
    typer.Option(parser=_parse_deny, metavar="warnings", help="Exit 1 on warnings too."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Use another value, written as in TOML."),
]


def unbuilt_flag(name: str) -> Any:  # noqa: ANN401  # typer's own type for an option
    """Give an option of the agreed command line that this version refuses."""
    return typer.Option(name, hidden=True, callback=_refuse_unbuilt)
