"""What is said of a value that the models refuse: a wrong type, or a value out of range."""

import datetime as dt
import re
import tomllib
from collections.abc import Sequence
from typing import Any, cast

from pydantic_core import ErrorDetails

from compiler.closest import closest, quoted_list, shortened
from compiler.diagnostics import Report
from compiler.parse import Document, KeyPath
from compiler.stack import load_stack
from spec_schema.base import JSON_PATH_PATTERN, NAME_PATTERN, TAG_PATTERN
from spec_schema.launch import FORMS
from spec_schema.overlay import REF_PATTERN
from spec_schema.project import PROJECT_NAME_PATTERN

__all__ = [
    "PATTERNS",
    "found_type",
    "key_name",
    "report_value",
    "report_wrong_type",
    "source_hint",
    "value_at",
    "written",
]

_WANTED_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "`true` or `false`",
    "list_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}
# Python's own order matters: `True` is an int, a datetime is a date.
_FOUND_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (str, "text"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (dt.datetime, "a date and time"),
    (dt.date, "a date"),
    (dt.time, "a time"),
    (list, "an array"),
    (dict, "a table"),
)
PATTERNS = {
    NAME_PATTERN: "a name begins with a lower-case letter and holds lower-case letters, digits "
    "and `_`",
    TAG_PATTERN: "a tag's name begins with a letter or `_` and holds letters, digits, `_`, `.` "
    "and `-`",
    PROJECT_NAME_PATTERN: "a project's name holds letters, digits, `.`, `_` and `-`, with a letter "
    "or digit at both ends",
    JSON_PATH_PATTERN: "write keys and positions, such as `result.total` or `items[0].name`",
    REF_PATTERN: "write the name of a branch or tag, or a commit",
    **FORMS,
}
# pydantic's name of a bound, where the number stands, and how it reads.
_BOUNDS = {
    "greater_than_equal": ("ge", "{} or more"),
    "greater_than": ("gt", "more than {}"),
    "less_than": ("lt", "less than {}"),
    "less_than_equal": ("le", "{} or less"),
    "finite_number": ("", "a finite number"),
}
_LENGTHS = {
    "string_too_long": ("max_length", "more", "character"),
    "too_short": ("min_length", "fewer", "item"),
    "too_long": ("max_length", "more", "item"),
}
# The key of a table that a bare value in its place is most likely meant for.
_BARE: dict[tuple[str | int, type], str] = {
    ("project", str): "name",
    ("model", str): "base",
    ("hardware", str): "tier",
    ("gold", str): "column",
    ("eval", int): "holdout",
    ("eval", float): "holdout",
}
# What a key takes beside its fixed words.
_OTHER_FORMS: dict[str | int, str] = {
    "target_modules": 'a list of names such as `["q_proj", "v_proj"]`'
}
_MOST_WRITTEN = 60


def report_value(
    document: Document, report: Report, path: KeyPath, details: Sequence[ErrorDetails]
) -> None:
    """Report what is said of one value: its type where only that is wrong, else its content."""
    value = value_at(document, path)
    content = [found for found in details if found["type"] not in _WANTED_TYPES]
    if content and content[0]["type"] == "literal_error" and not _is_literal(value, content[0]):
        words = _literals(content[0])
        wanted = [_WANTED_TYPES[each["type"]] for each in details if each not in content]
        kind = "a whole number" if words == ["1"] else "text"
        hint = f"it can be {_choices(path, words)}" if kind == "text" else None
        report_wrong_type(document, report, path, (kind, *wanted), hint)
    elif content:
        _report_content(document, report, path, content[0])
    else:
        wanted = [_WANTED_TYPES[each["type"]] for each in details]
        report_wrong_type(document, report, path, wanted)


def report_wrong_type(
    document: Document,
    report: Report,
    path: KeyPath,
    wanted: Sequence[str],
    hint: str | None = None,
) -> None:
    """Report that a value is of another type than those wanted, with the mended form if known."""
    value = value_at(document, path)
    types = list(dict.fromkeys(wanted))
    if "a number" in types and "a whole number" in types:
        types.remove("a whole number")
    report.error(
        "wrong-type",
        f"{key_name(path)} is {found_type(value)}{written(document, path)}, "
        f"{_either(types)} is wanted",
        document.value_place(path),
        hints=(hint,) if hint else _mended(document, path, value, types),
    )


def source_hint(path: KeyPath, value: object) -> str | None:
    """Say how a text that names a file or a data set is written as a source of rows."""
    if (
        path[-1] not in ("train", "eval")
        or not isinstance(value, str)
        or len(value) > _MOST_WRITTEN
    ):
        return None
    if not value.isprintable() or '"' in value or "\\" in value:
        return None
    if value.lower().endswith((".jsonl", ".json", ".csv", ".tsv", ".parquet")):
        return f'write `{{ path = "{value}" }}`'
    return f'write `{{ hub = "{value}" }}`' if value.count("/") == 1 else None


def value_at(document: Document, path: KeyPath) -> object:
    """Give the value at a path of a document."""
    value: Any = document.values
    for part in path:
        value = value[part]
    return value


def found_type(value: object) -> str:
    """Name the type of a TOML value, with its article."""
    return next((name for kind, name in _FOUND_TYPES if isinstance(value, kind)), "a value")


def key_name(path: KeyPath) -> str:
    """Name a value as a person would: `tag`, item 2 of `patterns`."""
    if not path:
        return "the spec"
    last = path[-1]
    if isinstance(last, int):
        return f"item {last + 1} of {key_name(path[:-1])}"
    return f"`{shortened(last)}`"


def written(document: Document, path: KeyPath) -> str:
    """Give a value as it is written, in brackets; nothing where that is no short line."""
    text = _source_text(document, path)
    return f" (`{text}`)" if text else ""


def _source_text(document: Document, path: KeyPath) -> str:
    if isinstance(value_at(document, path), dict | list):
        return ""
    text = document.text_at(document.value_place(path))
    return text if len(text) <= _MOST_WRITTEN and "\n" not in text and "`" not in text else ""


def _either(types: list[str]) -> str:
    return types[0] if len(types) == 1 else f"{', '.join(types[:-1])} or {types[-1]}"


def _mended(document: Document, path: KeyPath, value: object, types: list[str]) -> tuple[str, ...]:
    text = _source_text(document, path)
    if not text:
        return ()
    if "a table" in types and (bare := _BARE.get((path[-1], type(value)))):
        return (f"write `{{ {bare} = {text} }}`",)
    if isinstance(value, str):
        inner = value.strip()
        mended = _unquoted(inner, types)
        return (f"without quotes it is one: write `{mended}`",) if mended else ()
    if isinstance(value, float) and "a whole number" in types and value.is_integer():
        return (f"write `{int(value)}`",)
    if "text" in types:
        return (f'text stands in quotes: write `"{text}"`',)
    return ()


def _unquoted(text: str, types: list[str]) -> str | None:
    """Give the value that a text would be without its quotes, where that is of a wanted type."""
    try:
        value: object = tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return None
    matches = (
        ("a number" in types and isinstance(value, int | float) and not isinstance(value, bool))
        or ("a whole number" in types and isinstance(value, int) and not isinstance(value, bool))
        or ("`true` or `false`" in types and isinstance(value, bool))
    )
    return text if matches and "\n" not in text else None


def _literals(details: ErrorDetails) -> list[str]:
    found = re.findall(r"'([^']*)'|(\d+)", _context(details, "expected"))
    return [text or number for text, number in found]


def _choices(path: KeyPath, words: list[str]) -> str:
    other = _OTHER_FORMS.get(path[-1])
    return f"{quoted_list(words)}, or {other}" if other else quoted_list(words)


def _is_literal(value: object, details: ErrorDetails) -> bool:
    if _literals(details) == ["1"]:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str)


def _context(details: ErrorDetails, key: str) -> str:
    return str(cast("dict[str, object]", details.get("ctx", {})).get(key, ""))


def _other_word(document: Document, path: KeyPath, value: str) -> str | None:
    """How something is written that papers or other releases of TRL call by this name."""
    method = value_at(document, (*path[:-1], "method")) if path[-1] == "loss_type" else None
    if not isinstance(method, str):
        return None
    return load_stack().retired_value(method, "loss_type", value.lower())


def _report_content(
    document: Document, report: Report, path: KeyPath, details: ErrorDetails
) -> None:
    is_key = details["loc"][-1:] == ("[key]",)
    place = document.key_place(path) if is_key else document.value_place(path)
    label: str | None = None
    hints: tuple[str, ...] = ()
    name = key_name(path)
    if path == ("spec",):
        message = f"`spec = {value_at(document, path)}` is no version of the language"
        hints = ("the version that is known here is `spec = 1`",)
    elif details["type"] == "literal_error":
        words, value = _literals(details), str(value_at(document, path))
        meant = _other_word(document, path, value)
        near = None if meant else closest(value, words)
        # Another number is another thing, not a slip of the finger.
        near = None if near and re.sub(r"\d", "", near) == re.sub(r"\d", "", value) else near
        longer = [word for word in words if word.startswith(f"{value.lower()}-")]
        meant_words = longer or ([near] if near else [])
        label = f"did you mean {quoted_list(meant_words)}?" if meant_words else None
        message = f"{name} cannot be{_shown(document, path)}"
        hints = (f"it can be {_choices(path, words)}", *((meant,) if meant else ()))
    elif details["type"] == "string_pattern_mismatch":
        message = f"{name} is no name that can be used" if is_key else _not_allowed(document, path)
        hints = (PATTERNS[_context(details, "pattern")],)
    else:
        message = _range_message(document, path, details)
    report.error("bad-value", message, place, label=label, hints=hints)


def _shown(document: Document, path: KeyPath) -> str:
    text = _source_text(document, path)
    return f" `{text}`" if text else " this"


def _not_allowed(document: Document, path: KeyPath) -> str:
    return f"{key_name(path)} cannot be{_shown(document, path)}"


def _range_message(document: Document, path: KeyPath, details: ErrorDetails) -> str:
    kind, name = details["type"], key_name(path)
    if kind in _BOUNDS:
        key, wanted = _BOUNDS[kind]
        bound = _context(details, key).removesuffix(".0")
        return f"{name} is{_shown(document, path)}, {wanted.format(bound)} is wanted"
    if kind == "string_too_short" or _context(details, "actual_length") == "0":
        return f"{name} is empty"
    if kind in _LENGTHS:
        key, wanted, noun = _LENGTHS[kind]
        number = _context(details, key)
        return f"{name} has {wanted} than {number} {noun}{'' if number == '1' else 's'}"
    return _not_allowed(document, path)
