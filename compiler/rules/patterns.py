"""Regular expressions of the spec."""

import re
import warnings

__all__ = ["PatternError", "compiled"]


class PatternError(Exception):
    """A text that is no regular expression; the text says why."""


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, ready to be used; raises `PatternError`."""
    try:
        # What Python may read differently one day (`[[`) is no business of a check.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise PatternError(str(error)) from error
