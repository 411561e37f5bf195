"""Take a list apart."""

from collections.abc import Callable
from typing import Any

from balanced import is_balanced
from json_value import json_form, read_json
from undress import undressed

MOST_ELEMENTS = 1000
BRACKETS = (("[", "]"), ("(", ")"), (r"\{", r"\}"), ("{", "}"))


def elements(text: str, separator: str, form: Callable[[str], Any]) -> list[Any] | None:
    """Return what a list holds, each in the `form` that is compared; None where `text` is no list.

    An array of JSON is one; else `separator` stands between two elements. Brackets around all, and
    quotes around one, are not part of it. A list without elements has brackets.
    """
    plain = undressed(text)
    found = json_elements(plain)
    if found is None:
        inner = unbracketed(plain)
        found = [unquoted(part) for part in inner.split(separator) if part.strip()]
        if not found and (inner == plain or inner.strip()):
            return None
    return None if len(found) > MOST_ELEMENTS else [form(element) for element in found]


def json_elements(text: str) -> list[str] | None:
    """Return the elements of an array of JSON, as text."""
    try:
        value = read_json(text) if text.startswith("[") else None
    except ValueError:
        return None
    return [json_form(element) for element in value] if isinstance(value, list) else None


def unbracketed(text: str) -> str:
    """Return `text` without one pair of brackets around all of it."""
    for opening, closing in BRACKETS:
        if text.startswith(opening) and text.endswith(closing):
            inner = text[len(opening) : -len(closing)]
            return inner if is_balanced(inner) else text
    return text


def unquoted(element: str) -> str:
    """Return one element without blanks and quotes around it."""
    plain = element.strip()
    quoted = len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "\"'"
    return plain[1:-1] if quoted else plain
