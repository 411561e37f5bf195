"""`[answer]`: it needs a gold, and its pattern a group."""

from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled
from spec_schema.answer import RegexAnswer

__all__ = ["answer_and_gold_together", "pattern_has_a_group"]


def answer_and_gold_together(case: Case) -> None:
    """An answer is compared with a gold, and a gold is read by an answer."""
    spec = case.spec
    if spec.answer is not None and spec.data.gold is None:
        case.error(
            "missing-key",
            ("data",),
            "`gold` is missing: `[answer]` compares what is read with it",
            'add `gold = { column = "..." }`, or remove `[answer]`',
            at="key",
            related=((("answer",), "needs a gold"),),
        )
    if spec.answer is None and spec.data.gold is not None:
        case.error(
            "missing-key",
            ("data", "gold"),
            "there is a gold and no `[answer]` that says how to read and compare answers",
            'add `[answer]` with `extract`, such as `extract = "last_number"`, or remove `gold`',
            at="key",
        )


def pattern_has_a_group(case: Case) -> None:
    """The pattern of `extract = "regex"` compiles and has the group `answer`."""
    answer = case.spec.answer
    if not isinstance(answer, RegexAnswer):
        return
    path = ("answer", "pattern")
    try:
        groups = compiled(answer.pattern).groupindex
    except PatternError as error:
        case.error("bad-pattern", path, f"the pattern is no regular expression: {error}")
        return
    if "answer" not in groups:
        case.error(
            "bad-pattern",
            path,
            "the pattern has no group `answer`",
            "name the group that holds the answer: `(?P<answer>...)`",
        )
