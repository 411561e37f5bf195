"""What brings a text into the form that is compared, and the comparison."""

import re
from typing import NamedTuple

from compiler.literals import docstring, literal, text_literal
from spec_schema.answer import Answer
from spec_schema.comparison import AnswerTable
from spec_schema.comparison_keys import ComparisonKeys
from spec_schema.rare_comparison import PythonComparison

__all__ = ["Comparison", "comparison"]


class Comparison(NamedTuple):
    """How `answer` and `gold` are compared.

    `same` is an expression of these two names and `promise` what it promises; `helpers` are
    finished functions that it calls beside the library's pieces, `imports` lines of the module.
    """

    same: str
    promise: str
    pieces: tuple[str, ...]
    helpers: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()


class _Form(NamedTuple):
    """An expression that brings `text` into the form that is compared, and what it gives."""

    code: str
    gives: str
    promise: str
    pieces: tuple[str, ...]

    def function(self, name: str) -> str:
        return (
            f"def {name}(text: str) -> {self.gives}:\n    {docstring(self.promise)}\n"
            f"    return {self.code}\n"
        )


class _Names(NamedTuple):
    """What the functions are called that bring a text, and one element of it, into form."""

    form: str
    element: str


def comparison(answer: Answer) -> Comparison:
    """How an answer is compared with its gold."""
    match answer.compare:
        case PythonComparison(python=python):
            return _own_comparison(python)
        case "json":
            return _json_comparison(answer)
        case kind:
            return _comparison(kind, answer, _Names("comparable", "comparable_element"))


def _comparison(kind: str, keys: ComparisonKeys, names: _Names) -> Comparison:
    match kind:
        case "exact":
            promise = "Whether both are the same characters, outer blanks and dressing apart."
            return Comparison("same_exact(answer, gold)", promise, ("compare_exact",))
        case "choice":
            promise = "Whether both choose the same option."
            return Comparison("same_choice(answer, gold)", promise, ("compare_choice",))
        case "set" | "list":
            return _list_comparison(kind, keys, names)
        case _:
            plan = {
                "text": _text_comparison,
                "number": _number_comparison,
                "math": _math_comparison,
                "date": _date_comparison,
            }
            return plan[kind](keys, names)


def _with_form(same: str, promise: str, form: _Form, names: _Names, *pieces: str) -> Comparison:
    return Comparison(same, promise, (*form.pieces, *pieces), (form.function(names.form),))


def _own_comparison(reference: str) -> Comparison:
    file, _, function = reference.partition(":")
    module = file.removesuffix(".py")
    same = f"{module}.{function}(answer, gold)"
    promise = f"Whether the task's own `{module}.{function}` says that both are the same."
    return Comparison(same, promise, (), imports=(f"import {module}",))


def _text_comparison(keys: ComparisonKeys, names: _Names) -> Comparison:
    promise = "Whether both are the same text in the form that is compared."
    same = f'{names.form}(answer) == {names.form}(gold) != ""'
    return _with_form(same, promise, _text_form(keys), names)


def _text_form(keys: ComparisonKeys) -> _Form:
    code, said = "normal_form(undressed(text))", ["undressed, in Unicode's NFKC form"]
    pieces = ["undress", "normal_form"]
    if keys.whitespace == "collapse":
        code, said = f"with_single_blanks({code})", [*said, "every run of blanks one blank"]
        pieces.append("whitespace_collapse")
    if keys.whitespace == "remove":
        code, said = f"without_blanks({code})", [*said, "without blanks"]
        pieces.append("whitespace_remove")
    if keys.case == "fold":
        code, said = f"{code}.casefold()", [*said, "upper and lower case the same"]
    return _Form(code, "str", f"A text as it is compared: {', '.join(said)}.", tuple(pieces))


def _date_comparison(keys: ComparisonKeys, names: _Names) -> Comparison:
    formats = f", {literal(tuple(keys.date_formats))}" if keys.date_formats else ""
    about = "The day that a text wholly is, or None."
    form = _Form(f"parse_date(text{formats})", "date | None", about, ("date",))
    same = f"{names.form}(answer) == {names.form}(gold) is not None"
    return _with_form(same, "Whether both are the same day.", form, names)


def _number_comparison(keys: ComparisonKeys, names: _Names) -> Comparison:
    form, limits = _number_form(keys), _limits(keys)
    both = f"{names.form}(answer), {names.form}(gold)"
    if not limits:
        promise = "Whether both are the same number, exactly."
        return _with_form(f"same_number({both})", promise, form, names, "compare_number")
    promise = "Whether the answer is the gold's number within the spec's tolerance."
    same = f"close_number({both}{limits})"
    return _with_form(same, promise, form, names, "compare_number_close")


def _math_comparison(keys: ComparisonKeys, names: _Names) -> Comparison:
    limits = _limits(keys)
    promise = "Whether both are the same mathematics, numbers exactly."
    if limits:
        promise = "Whether both are the same mathematics, numbers within the spec's tolerance."
    same = f"same_math(answer, gold, {names.form}{limits})"
    return _with_form(same, promise, _number_form(keys), names, "compare_math")


def _limits(keys: ComparisonKeys) -> str:
    """The tolerances as further arguments, nothing where numbers are compared exactly."""
    return "".join(
        f", {key}={literal(getattr(keys, key))}"
        for key in ("tolerance", "relative_tolerance")
        if getattr(keys, key) > 0
    )


def _number_form(keys: ComparisonKeys) -> _Form:
    code, said, pieces = "text", "", list[str]()
    if keys.unit is not None:
        units = (keys.unit,) if isinstance(keys.unit, str) else tuple(keys.unit)
        code, said = f"without_unit({code}, {literal(units)})", f"{said}; its unit is dropped"
        pieces.append("unit")
    if keys.grouping == "indian":
        code = f"without_lakhs({code})"
        pieces.append("grouping_indian")
    if keys.grouping != "none":
        code = f"without_thousands({code})"
        pieces.append("grouping_thousands")
    code = f"parse_number({code})"
    pieces.append("number")
    if keys.percent == "strip":
        code, said = f"percent_dropped({code})", f"{said}; 28% is 28"
        pieces.append("percent_strip")
    if keys.percent == "scale":
        code, said = f"percent_as_share({code})", f"{said}; 28% is 0.28"
        pieces.append("percent_scale")
    promise = f"The number that a text wholly is, or None{said}."
    return _Form(code, '"Number | None"', promise, tuple(pieces))


def _list_comparison(kind: str, keys: ComparisonKeys, names: _Names) -> Comparison:
    order = "in any order and however often" if kind == "set" else "in the same order"
    promise, limits = f"Whether both have the same elements, {order}.", ""
    match keys.each:
        case "exact":
            element, gives, form = "str", "list[str] | None", None
        case "text":
            element, gives, form = names.element, "list[str] | None", _text_form(keys)
        case "number":
            element, gives, form = names.element, '"list[Number | None] | None"', _number_form(keys)
            limits = _limits(keys)
    code = f"elements(text, {text_literal(keys.separator)}, {element})"
    whole = _Form(code, gives, "The elements of a text as they are compared.", ("elements",))
    function, piece = (
        (f"close_{kind}", f"_{kind}_close") if limits else (f"same_{kind}", f"_{kind}")
    )
    same = f"{function}({names.form}(answer), {names.form}(gold){limits})"
    helpers = [whole.function(names.form), *([form.function(names.element)] if form else [])]
    pieces = (*whole.pieces, *(form.pieces if form else ()), f"compare{piece}")
    return Comparison(same, promise, pieces, tuple(helpers))


def _json_comparison(answer: AnswerTable) -> Comparison:
    """All fields, each as the spec says; the same function tells which of them are right."""
    comparers, slugs = dict[str, str](), ["fields"]  # `matching_fields` is taken
    helpers, pieces = list[str](), list[str]()
    for name, field in answer.fields.items():
        if field.compare == "exact":
            continue  # fields of the same value are equal anyway
        slug = _slug(name, slugs)
        slugs.append(slug)
        names = _Names(f"comparable_{slug}", f"element_of_{slug}")
        found = _comparison(field.compare, field, names)
        comparers[name] = f"matching_{slug}"
        head = f"def matching_{slug}(answer: str, gold: str) -> bool:\n"
        helpers.append(f"{head}    {docstring(found.promise)}\n    return {found.same}\n")
        helpers += found.helpers
        pieces += found.pieces
    table = ", ".join(f"{text_literal(name)}: {called}" for name, called in comparers.items())
    fields = f"compared_fields(answer, gold, {{{table}}})"
    about = "Whether each field of the gold is right in the answer, by its name"
    if answer.extra_fields == "forbid":
        fields, about = f"{fields} | extra_fields(answer, gold)", f"{about}; others are wrong"
        pieces.append("json_extra")
    matching = (
        f"def matching_fields(answer: str, gold: str) -> dict[str, bool]:\n"
        f"    {docstring(f'{about}.')}\n    return {fields}\n"
    )
    return Comparison(
        "all_right(matching_fields(answer, gold))",
        "Whether all fields of the gold are right in the answer.",
        ("json_fields", *dict.fromkeys(pieces)),
        (matching, *helpers),
    )


def _slug(name: str, taken: list[str]) -> str:
    """A field's name as a part of a function's, another one for each field."""
    slug = re.sub(r"\W", "_", name.lower(), flags=re.ASCII)
    return slug if slug not in taken else _slug(f"{slug}_{len(taken)}", taken)
