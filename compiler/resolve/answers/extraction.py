"""How the answers of a completion are found, and which of them counts."""

from typing import NamedTuple

from compiler.literals import docstring, pattern_literal, text_literal
from compiler.resolve.answers.structured import finder_of
from compiler.resolve.thinking import begins_thinking
from spec_schema import TaskSpec
from spec_schema.answer import (
    AfterAnswer,
    Answer,
    BoxedAnswer,
    LastNumberAnswer,
    RegexAnswer,
    WholeAnswer,
    XmlAnswer,
)
from spec_schema.structured_answer import CodeAnswer, JsonAnswer, PythonAnswer

__all__ = ["Reading", "extraction"]

WHICH = {"last": "the last", "first": "the first", "only": "the only"}
# These comparisons read through what dresses a value, where LaTeX may also mean something.
READ_THROUGH = ("number", "math", "choice", "json")


class Reading(NamedTuple):
    """The expression that reads an answer from `text`, its promise, its pieces and its imports."""

    read: str
    promise: str
    pieces: tuple[str, ...]
    imports: tuple[str, ...] = ()


def extraction(spec: TaskSpec, answer: Answer) -> Reading:
    """How the answer of a completion is read."""
    text = f"final_text(text{', opened=True' if begins_thinking(spec) else ''})"
    if isinstance(answer, PythonAnswer):
        path, _, function = answer.extract.python.partition(":")
        module = path.removesuffix(".py")
        promise = docstring(f"The answer of a completion, as {module}.{function} reads it.")
        imports = (f"import {module}",)
        return Reading(f"{module}.{function}({text})", promise, ("final_text",), imports)
    options = spec.data.options
    fixed = tuple(options) if isinstance(options, list) else ()
    finder = finder_of(answer, fixed)
    found, about, piece = (
        _found(answer, text) if finder is None else (finder.call(text), finder.about, finder.piece)
    )
    pieces = [f"{answer.several}_of", piece, "final_text"]
    if answer.compare not in READ_THROUGH and not isinstance(answer, CodeAnswer | JsonAnswer):
        found = f"[undressed(found) for found in {found}]"
        pieces.append("undress")
    said = f"The answer of a completion: {WHICH[answer.several]} {about}; None without one."
    return Reading(f"{answer.several}_of({found})", docstring(said), tuple(pieces))


def _found(answer: Answer, text: str) -> tuple[str, str, str]:
    """The call that finds all answers of `text`, what they are, and its piece."""
    match answer:
        case XmlAnswer(tag=tag):
            call = f"xml_blocks({text}, {text_literal(tag)})"
            return call, f"text inside a closed <{tag}> pair", "extract_xml"
        case BoxedAnswer():
            return f"boxed({text})", "content of a closed box", "extract_boxed"
        case AfterAnswer(marker=marker):
            call = f"after_marker({text}, {text_literal(marker)})"
            return call, f"rest of a line behind {marker!r}", "extract_after"
        case RegexAnswer(pattern=pattern):
            call = f"regex_answers({text}, {pattern_literal(pattern)})"
            return call, "match of the spec's pattern", "extract_regex"
        case LastNumberAnswer():
            return f"numbers_in({text})", "number in the text", "extract_last_number"
        case WholeAnswer():
            return f"whole_text({text})", "text, all of it", "extract_whole"
        case _:
            raise TypeError(answer)
