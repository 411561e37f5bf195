"""How the answers of a completion are found."""

from compiler.literals import pattern_literal, text_literal
from spec_schema.answer import (
    AfterAnswer,
    Answer,
    BoxedAnswer,
    LastNumberAnswer,
    RegexAnswer,
    WholeAnswer,
    XmlAnswer,
)

__all__ = ["extraction"]

WITHOUT_END = "without_end_tokens(text)"


def extraction(answer: Answer) -> tuple[str, str, tuple[str, ...]]:
    """The call that finds all answers of `text`, what they are, and its pieces."""
    match answer:
        case XmlAnswer(tag=tag):
            call = f"xml_blocks(text, {text_literal(tag)})"
            return call, f"text inside a closed <{tag}> pair", ("extract_xml",)
        case BoxedAnswer():
            return "boxed(text)", "content of a closed box", ("extract_boxed",)
        case AfterAnswer(marker=marker):
            call = f"after_marker({WITHOUT_END}, {text_literal(marker)})"
            return call, f"rest of a line behind {marker!r}", ("extract_after", "end_tokens")
        case RegexAnswer(pattern=pattern):
            call = f"regex_answers({WITHOUT_END}, {pattern_literal(pattern)})"
            return call, "match of the spec's pattern", ("extract_regex", "end_tokens")
        case LastNumberAnswer():
            return "numbers_in(text)", "number in the text", ("extract_last_number",)
        case WholeAnswer():
            return f"whole_text({WITHOUT_END})", "text, all of it", ("extract_whole", "end_tokens")
