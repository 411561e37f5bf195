"""`[answer]`: what is said of a comparison belongs to it, and can be met."""

import re
from typing import TYPE_CHECKING

from compiler.closest import shortened
from compiler.parse import KeyPath
from compiler.rules.case import Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spec_schema.comparison import AnswerTable
    from spec_schema.rare_comparison import FieldComparison

__all__ = ["comparison_fits_reading", "comparison_keys_belong", "date_formats_are_clear"]

_LISTS = ("set", "list")
# The ways of comparing that a key says more of; with a set or list, `each` is one, too.
_COUNTS_WITH = {
    "case": ("text",),
    "whitespace": ("text",),
    "tolerance": ("number", "math"),
    "relative_tolerance": ("number", "math"),
    "percent": ("number", "math"),
    "grouping": ("number", "math"),
    "unit": ("number", "math"),
    "separator": _LISTS,
    "each": _LISTS,
    "date_formats": ("date",),
    "fields": ("json",),
    "extra_fields": ("json",),
}
# What these ways of reading find is never equal under another way of comparing.
_FITS = {
    "last_number": ("exact", "text", "number", "math"),
    "choice": ("exact", "text", "choice"),
}
_DIRECTIVE = re.compile(r"%.?")
_MEANT = {"%D": "%d", "%e": "%d", "%M": "%m", "%y": "%Y"}


def comparison_keys_belong(case: Case) -> None:
    """A key stands only beside the way of comparing that it says more of."""
    for path, keys in _comparisons(case):
        for key in sorted(keys.model_fields_set & _COUNTS_WITH.keys()):
            ways = (keys.compare, keys.each) if keys.compare in _LISTS else (keys.compare,)
            if set(ways).isdisjoint(_COUNTS_WITH[key]):
                _misplaced(case, (*path, key), keys)


def _misplaced(case: Case, path: KeyPath, keys: "AnswerTable | FieldComparison") -> None:
    key, wanted = str(path[-1]), _COUNTS_WITH[str(path[-1])]
    of_elements = keys.compare in _LISTS and wanted[0] in ("text", "number")
    if of_elements:
        words, now = f'`each = "{wanted[0]}"`', f'`each = "{keys.each}"`'
    else:
        words = " or ".join((f'`compare = "{wanted[0]}"`', *(f'`"{way}"`' for way in wanted[1:])))
        own = not isinstance(keys.compare, str)
        now = "a comparison of your own" if own else f'`compare = "{keys.compare}"`'
    message = f"`{key}` counts only with {words}, and this is {now}"
    case.error("misplaced-key", path, message, f"leave `{key}` out, or write {words}", at="key")


def comparison_fits_reading(case: Case) -> None:
    """What is read can be equal under the way of comparing."""
    answer = case.spec.answer
    extract = None if answer is None else getattr(answer, "extract", None)
    fits = _FITS.get(extract) if isinstance(extract, str) else None
    if answer is None or fits is None or not isinstance(answer.compare, str):
        return
    if answer.compare not in fits:
        words = ", ".join(f'`"{way}"`' for way in fits)
        case.error(
            "conflicting-keys",
            ("answer", "compare"),
            f'`extract = "{extract}"` reads nothing that `compare = "{answer.compare}"` compares',
            f"`compare` can be {words} here",
            related=((("answer", "extract"), "how the answer is read"),),
        )


def date_formats_are_clear(case: Case) -> None:
    """A format names year, month and day once each, and no two read one text as two days."""
    for path, keys in _comparisons(case):
        seen: set[str] = set()
        for position, form in enumerate(keys.date_formats):
            place = (*path, "date_formats", position)
            fault = _date_fault(form)
            if fault is not None:
                case.error("bad-value", place, *fault)
            # Written with the day for the month, it would be this one.
            turned = form.replace("%d", "%_").replace("%m", "%d").replace("%_", "%m")
            if turned in seen and "%m" in form:
                message = f"`{shortened(form)}` and `{shortened(turned)}` read one text as two days"
                hint = "keep the one that the data is written in"
                case.error("conflicting-keys", place, message, hint)
            seen.add(form)


def _date_fault(form: str) -> tuple[str, str] | None:
    """What is wrong with a format, and what to do."""
    found = _DIRECTIVE.findall(form)
    for directive in found:
        if directive not in ("%Y", "%m", "%d", "%B", "%b"):
            meant = _MEANT.get(directive)
            known = "a format is written with `%Y`, `%m`, `%d`, `%B` and `%b`"
            message = f"`{directive}` is no part of a date here"
            return message, f"did you mean `{meant}`?" if meant else known
    parts = ["%m" if directive in ("%B", "%b") else directive for directive in found]
    if sorted(parts) != ["%Y", "%d", "%m"]:
        message = f"`{shortened(form)}` does not name the year, the month and the day once each"
        return message, "write it as `%d/%m/%Y`, in the order of the data"
    return None


def _comparisons(case: Case) -> "Iterator[tuple[KeyPath, AnswerTable | FieldComparison]]":
    """The comparison of the answer, and those of its fields."""
    answer = case.spec.answer
    if answer is not None:
        yield ("answer",), answer
        for name, field in answer.fields.items():
            yield ("answer", "fields", name), field
