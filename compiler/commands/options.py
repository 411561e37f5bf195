"""The options of the commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "SPEC",
    "Check",
    "Deny",
    "Diff",
    "Form",
    "Here",
    "Into",
    "Restore",
    "Settings",
    "Spec",
    "Specs",
    "Trust",
    "Undo",
    "Upgrade",
    "refuse_together",
]

SPEC = Path("task.toml")
_FORMATS = ("full", "concise", "json", "github", "sarif")


def refuse_together(given: Sequence[str | None]) -> None:
    """Refuse a call with two of the named options, of which each excludes the others."""
    names = [f"`{name}`" for name in given if name]
    if len(names) > 1:
        message = f"{' and '.join(names[:2])} exclude each other"
        raise typer.BadParameter(message)


def _parse_format(value: str) -> str:
    if value not in _FORMATS:
        message = f"`{value}` is no format; choose one of {', '.join(_FORMATS)}"
        raise typer.BadParameter(message)
    return value


def _parse_deny(value: str) -> str:
    if value != "warnings":
        message = f"only `warnings` can be denied, not `{value}`"
        raise typer.BadParameter(message)
    return value


Spec = Annotated[Path, typer.Argument(metavar="SPEC", help="The spec; its folder is the project.")]
Specs = Annotated[
    list[Path] | None, typer.Argument(metavar="SPEC", help="The specs; left out: task.toml.")
]
Form = Annotated[
    str,
    typer.Option(
        "--format",
        parser=_parse_format,
        metavar="FORM",
        help="Of what is found: full, concise, json, github, sarif.",
    ),
]
Deny = Annotated[
    str | None,
    typer.Option(parser=_parse_deny, metavar="warnings", help="Exit 1 on warnings too."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Use another value, written as in TOML."),
]
Trust = Annotated[
    bool, typer.Option("--trust", help="Let the overlay run commands and load extensions.")
]

# Of `compile` alone.
Into = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Make a new project in this folder.")
]
Here = Annotated[
    bool, typer.Option("--here", help="Compile into a folder that holds other things.")
]
Diff = Annotated[
    bool, typer.Option("--diff", help="Print what would change and why; write nothing.")
]
Check = Annotated[
    bool, typer.Option("--check", help="Exit 1 where a project is out of date; write nothing.")
]
Upgrade = Annotated[
    bool, typer.Option("--upgrade", help="Move to the newest stack and its defaults.")
]
Restore = Annotated[
    list[str] | None,
    typer.Option(metavar="PATH", help="Write a file of the project that you deleted."),
]
Undo = Annotated[bool, typer.Option("--undo", help="Take the last compile back.")]
