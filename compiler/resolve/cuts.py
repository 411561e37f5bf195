"""A part of a column as an expression over a row."""

from compiler.literals import text_literal
from spec_schema.data import Cut

__all__ = ["cut_code"]


def cut_code(cut: Cut) -> str:
    """The text between the marks of a cut, without the blanks at its ends."""
    code = f"str(row[{text_literal(cut.column)}])"
    if cut.after is not None:
        code = f"after({code}, {text_literal(cut.after)})"
    if cut.before is not None:
        code = f"before({code}, {text_literal(cut.before)})"
    return code if cut.after is not None or cut.before is not None else f"{code}.strip()"
