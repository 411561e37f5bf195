"""Context of the report on the answers that stages learn from."""

from typing import NamedTuple

__all__ = ["AnswerReportFile"]


class AnswerReportFile(NamedTuple):
    """Context of answer_report.py: import lines, and one function for each stage.

    `encodes` says that one of them needs the tokenizer, `reads` that one compares answers.
    """

    imports: tuple[str, ...]
    encodes: bool
    reads: bool
    functions: tuple[str, ...]
