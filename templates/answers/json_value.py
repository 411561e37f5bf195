"""Read a text that is wholly JSON."""

import json
import math
from typing import Any


def read_json(text: str) -> object:
    """Return the value of a JSON text; raises `ValueError` where it is none.

    A key that stands twice in an object and a number that is none (`NaN`) are refused, and so is
    what is nested too deep. `1.0` is the whole number 1.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=object_of,
            parse_float=json_number,
            parse_constant=json_number,
        )
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises `ValueError` where a key stands twice in it."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def json_number(text: str) -> float:
    """Return a number with a fraction or an exponent; raises `ValueError` if it is not finite."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no finite number")
    return int(number) if number.is_integer() else number


def json_form(value: object) -> str:
    """Return one text for a value however it is written; that of a text is itself."""
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
