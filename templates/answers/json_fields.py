"""Compare objects of JSON field by field."""

from collections.abc import Callable, Mapping
from typing import Any

from json_value import json_form, read_json


def compared_fields(
    answer: str, gold: str, comparisons: Mapping[str, Callable[[str, str], bool]]
) -> dict[str, bool]:
    """Whether each field of the gold is right in the answer, by the field's name.

    A field is right where both have the same value, or where its comparison says so of the values
    as text. One that the answer lacks is wrong. Gold that is no object is one field without a
    name; none are returned where it is no JSON at all.
    """
    found = fields_of(answer)
    return {
        name: name in found and same_field(found[name], value, comparisons.get(name))
        for name, value in fields_of(gold).items()
    }


def fields_of(text: str) -> dict[str, Any]:
    """The fields of an object; a value that is none is a field without a name."""
    try:
        value = read_json(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {"": value}


def same_field(answer: object, gold: object, same: Callable[[str, str], bool] | None) -> bool:
    """Whether two values are the same, or compare as the same."""
    if type(answer) is type(gold) and json_form(answer) == json_form(gold):
        return True
    return same is not None and same(json_form(answer), json_form(gold))


def all_right(fields: Mapping[str, bool]) -> bool:
    """Whether there are fields, and all are right."""
    return bool(fields) and all(fields.values())
