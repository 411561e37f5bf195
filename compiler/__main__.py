"""`trainspec`, or `python -m compiler`: the command line in a process of its own."""

import gc
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line and end the program."""
    # What is imported and read lives until the end of a short process: to look through it for
    # garbage, and once more on the way out, took a fifth of the time of a check.
    gc.disable()
    try:
        from compiler import cli  # most of what there is to collect are imports

        cli.main()
    finally:
        gc.freeze()


if __name__ == "__main__":
    main()
