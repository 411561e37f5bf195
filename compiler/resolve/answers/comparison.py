"""What brings a text into the form that is compared, and the comparison."""

from compiler.literals import docstring, literal
from spec_schema.answer import Answer

__all__ = ["comparison"]


def comparison(answer: Answer) -> tuple[str | None, str, str, str, tuple[str, ...]]:
    """What brings a text into the form that is compared, and the comparison, with their pieces."""
    match answer.compare:
        case "exact":
            promise = docstring("Whether both are the same characters, outer blanks apart.")
            return None, "", "same_exact(answer, gold)", promise, ("compare_exact",)
        case "text":
            form, said, pieces = _text_form(answer)
            promise = docstring("Whether both are the same text in the form that is compared.")
            same = 'comparable(answer) == comparable(gold) != ""'
            return form, docstring(f"A text as it is compared: {said}."), same, promise, pieces
        case "number":
            return _number_comparison(answer)


def _text_form(answer: Answer) -> tuple[str, str, tuple[str, ...]]:
    form, said, pieces = "normal_form(text)", ["in Unicode's NFKC form"], ["normal_form"]
    if answer.whitespace == "collapse":
        form, said = f"with_single_blanks({form})", [*said, "every run of blanks one blank"]
        pieces.append("whitespace_collapse")
    if answer.whitespace == "remove":
        form, said = f"without_blanks({form})", [*said, "without blanks"]
        pieces.append("whitespace_remove")
    if answer.case == "fold":
        form, said = f"{form}.casefold()", [*said, "upper and lower case the same"]
    return form, ", ".join(said), tuple(pieces)


def _number_comparison(answer: Answer) -> tuple[str, str, str, str, tuple[str, ...]]:
    form, said, pieces = _number_form(answer)
    about = docstring(f"The number that a text wholly is, or None{said}.")
    call = "{}(comparable(answer), comparable(gold){})"
    if answer.tolerance == 0 and answer.relative_tolerance == 0:
        promise = docstring("Whether both are the same number, exactly.")
        return form, about, call.format("same_number", ""), promise, (*pieces, "compare_number")
    limits = "".join(
        f", {key}={literal(getattr(answer, key))}"
        for key in ("tolerance", "relative_tolerance")
        if getattr(answer, key) > 0
    )
    promise = docstring("Whether the answer is the gold's number within the spec's tolerance.")
    return (
        form,
        about,
        call.format("close_number", limits),
        promise,
        (*pieces, "compare_number_close"),
    )


def _number_form(answer: Answer) -> tuple[str, str, tuple[str, ...]]:
    form, said, pieces = "text", "", list[str]()
    if answer.unit is not None:
        units = (answer.unit,) if isinstance(answer.unit, str) else tuple(answer.unit)
        form, said = f"without_unit({form}, {literal(units)})", f"{said}; its unit is dropped"
        pieces.append("unit")
    if answer.grouping == "indian":
        form = f"without_lakhs({form})"
        pieces.append("grouping_indian")
    if answer.grouping != "none":
        form = f"without_thousands({form})"
        pieces.append("grouping_thousands")
    form = f"parse_number({form})"
    pieces.append("number")
    if answer.percent == "strip":
        form, said = f"percent_dropped({form})", f"{said}; 28% is 28"
        pieces.append("percent_strip")
    if answer.percent == "scale":
        form, said = f"percent_as_share({form})", f"{said}; 28% is 0.28"
        pieces.append("percent_scale")
    return form, said, tuple(pieces)
