"""Read a text that is JSON as a whole."""

import json
import re
from typing import Any

JSON_FENCE = re.compile(r"(`{3,}|~{3,})(?:json)?[ \t]*\r?\n(.*)\1", re.DOTALL | re.IGNORECASE)


def whole_json(text: str) -> dict[str, Any] | list[Any] | str | float | None:
    """Return the value that `text` is, alone or in one fenced block; raises ValueError.

    What JSON itself does not allow is none (NaN), nor is an object with a key that stands twice in
    it, nor what is nested too deeply to be read.
    """
    fenced = JSON_FENCE.fullmatch(text.strip())
    try:
        return json.loads(
            fenced[2] if fenced else text, parse_constant=no_json, object_pairs_hook=each_key_once
        )
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def no_json(word: str) -> None:
    """Refuse a word that Python's reader takes and JSON does not have."""
    raise ValueError(f"`{word}` is no JSON")


def each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises ValueError where a key stands in it twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return found
