"""Values as the Python text that ruff's formatter would write for them."""

import json
import math
import re
import string
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import cast

__all__ = [
    "Template",
    "docstring",
    "literal",
    "parse_template",
    "pattern_literal",
    "template_literal",
    "text_literal",
]

SMALL = 1e-2
_PLAIN = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]*")

Template = tuple[tuple[str, str | None], ...]
"""A text with holes: (text before, name of the value that follows or None at the end)."""


def literal(value: object) -> str:
    """The Python text of a TOML value: a scalar, a list or a table."""
    match value:
        case None | bool() | int():
            return repr(value)
        case float():
            return _float(value)
        case str():
            return text_literal(value)
        case Mapping():
            table = cast("Mapping[object, object]", value)
            return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in table.items()) + "}"
        case tuple():
            items = [literal(item) for item in cast("tuple[object, ...]", value)]
            return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
        case Sequence():
            return "[" + ", ".join(map(literal, cast("Sequence[object]", value))) + "]"
        case _:
            raise TypeError(value)


def _float(value: float) -> str:
    """A small number as people write a rate, `3e-4` and not `0.0003` or repr's `3e-04`."""
    text = repr(value)
    if math.isinf(value):
        return text.replace("inf", "math.inf")  # which the module then imports
    if 0 < abs(value) < SMALL:  # 0.01 and more read better as they are
        digits, _, exponent = f"{Decimal(text):E}".partition("E")
        digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
        return f"{digits}e{int(exponent)}"
    return text


def text_literal(text: str) -> str:
    """A string literal that evaluates to exactly `text`, triple-quoted where it has lines."""
    if "\n" in text and _PLAIN.fullmatch(text):
        return '"""\\\n' + _triple_quoted(text) + '"""'
    return _quoted(text)


def pattern_literal(pattern: str) -> str:
    """A regular expression as a raw literal, where one can hold it."""
    plain = _PLAIN.fullmatch(pattern) and "\n" not in pattern
    if "\\" in pattern and plain and not pattern.endswith("\\"):
        if '"' not in pattern:
            return f'r"{pattern}"'
        if "'" not in pattern:
            return f"r'{pattern}'"
    return text_literal(pattern)


def docstring(text: str) -> str:
    """The text as a docstring, its lines indented already, backslashes and quotes escaped."""
    if "\n" in text and not text.endswith("\n"):
        text += "\n" + re.findall(r"\n( *)\S", text)[-1]
    return f'"""{_triple_quoted("".join(map(_visible, text)))}"""'


def _visible(character: str) -> str:
    return character if character == "\n" or _PLAIN.fullmatch(character) else "?"


def parse_template(template: str) -> Template:
    """The parts of a text with `{name}` holes and doubled braces; raises ValueError on others."""
    parts: list[tuple[str, str | None]] = []
    for before, name, specification, conversion in string.Formatter().parse(template):
        if specification or conversion or (name is not None and not name.strip()):
            message = f"`{{{name or ''}}}` is not the name of a column"
            raise ValueError(message)
        parts.append((before, name))
    return tuple(parts)


def template_literal(template: Template, mapping: str) -> str:
    """The expression that fills `template` from the mapping of that name."""
    names = [name for _, name in template if name is not None]
    if not names:
        return text_literal("".join(before for before, _ in template))
    if any(
        re.search(r"""['"\\]""", name) or not _PLAIN.fullmatch(name) or "\n" in name
        for name in names
    ):
        return _concatenation(template, mapping)
    whole = "".join(before for before, _ in template)
    if "\n" in whole and _PLAIN.fullmatch(whole):
        return f'f"""\\\n{_filled(template, mapping, _triple_quoted)}"""'
    return f'f"{_filled(template, mapping, _escaped)}"'


def _filled(template: Template, mapping: str, escape: Callable[[str], str]) -> str:
    """The inside of an f-string; Python 3.11 allows no backslash and not its quotes in a hole."""
    body = ""
    for before, name in template:
        body += escape(before).replace("{", "{{").replace("}", "}}")
        if name is not None:
            body += "{" + f"{mapping}['{name}']" + "}"
    return body


def _concatenation(template: Template, mapping: str) -> str:
    """The same text as a sum, for the names that no f-string of Python 3.11 can hold."""
    terms: list[str] = []
    for before, name in template:
        if before:
            terms.append(text_literal(before))
        if name is not None:
            terms.append(f"str({mapping}[{_quoted(name)}])")
    return " + ".join(terms)


def _quoted(text: str) -> str:
    """A one-line literal in the quotes that need fewer escapes, double ones where equal."""
    if text.count('"') > text.count("'"):
        return "'" + _escaped(text).replace('\\"', '"').replace("'", "\\'") + "'"
    return '"' + _escaped(text) + '"'


def _escaped(text: str) -> str:
    """The inside of a double-quoted literal."""
    return "".join(_escape(character) for character in text)


def _escape(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character == "\n":
        return "\\n"
    if _PLAIN.fullmatch(character):
        return character
    return json.dumps(character)[1:-1] if character.isascii() else f"\\u{ord(character):04x}"


def _triple_quoted(text: str) -> str:
    """A part of the inside of a triple-quoted literal: no run of quotes, and none at its end."""
    return re.sub(r'"(?="|\Z)|(?<=")"', r"\"", text.replace("\\", "\\\\"))
