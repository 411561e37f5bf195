"""The command line: its commands, and what ends the program."""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from compiler.commands.terminal import (
    BUG,
    DONE,
    INTERRUPTED,
    MACHINE,
    UNSETTLED,
    say,
    tell,
)
from compiler.unsettled import Unsettled
from compiler.version import VERSION

__all__ = ["main"]

# The commands in the order of the help, each with its module and function.
COMMANDS = {
    "new": ("making", "new"),
    "check": ("reading", "check"),
    "plan": ("reading", "plan"),
    "compile": ("compiling", "compile_specs"),
    "adopt": ("compiling", "adopt"),
    "smoke": ("smoking", "smoke"),
    "schema": ("reading", "schema"),
    "explain": ("reading", "explain"),
    "lint": ("linting", "lint"),
}


def _root(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        say(f"trainspec {VERSION}\n")
        raise typer.Exit(DONE)


def _app(arguments: Sequence[str]) -> typer.Typer:
    """Give the command that is called alone, for each takes time to build; else all of them."""
    app = typer.Typer(
        help="Compile a TOML spec of a post-training task into a standalone TRL project.",
        no_args_is_help=True,
        add_completion=False,
        # Rich costs more to import than a whole check.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_root)
    called = arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS
    for name in called:
        module, function = COMMANDS[name]
        app.command(name)(getattr(import_module(f"compiler.commands.{module}"), function))
    return app


def main() -> NoReturn:
    """Run the command line and end the program with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal's encoding must not decide whether a finding can be told.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Plugins of other packages have no part in reading a spec, and looking for them takes time.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        _app(sys.argv[1:])(prog_name="trainspec")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Unsettled as unsettled:
        tell(unsettled.lines)
        sys.exit(UNSETTLED)
    except Exception as error:  # noqa: BLE001  # the last place where a bug can be told as one
        from compiler.outcome import bug_lines, machine_lines  # seldom needed

        lines = machine_lines(error)
        tell(lines or bug_lines(error))
        sys.exit(MACHINE if lines else BUG)
    sys.exit(DONE)
