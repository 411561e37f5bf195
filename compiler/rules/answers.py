"""`[answer]`: it needs a gold, its pattern a group, and a model that is told how to answer."""

from compiler.closest import shortened
from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled
from compiler.rules.texts import words_shown
from spec_schema.answer import AfterAnswer, RegexAnswer, XmlAnswer
from spec_schema.prompt import ShotRows
from spec_schema.stages.sft import SftStage

__all__ = ["answer_and_gold_together", "answer_is_asked_for", "pattern_has_a_group"]


def answer_and_gold_together(case: Case) -> None:
    """An answer is compared with a gold, and a gold is read by an answer."""
    spec = case.spec
    if spec.answer is not None and spec.data.gold is None and spec.data.options is None:
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


def answer_is_asked_for(case: Case) -> None:
    """A hub model that no stage and no shot teaches sees the tag or marker that is read.

    Where a prompt is made of columns alone, the rows may ask for it.
    """
    spec = case.spec
    match spec.answer:
        case XmlAnswer(tag=tag):
            key, mark, form = "tag", f"<{tag}>", f"<{tag}>...</{tag}>"
        case AfterAnswer(marker=mark):
            key, form = "marker", f"{mark} ..."
        case _:
            return
    taught = (
        spec.model.base.startswith((".", "/"))
        or isinstance(spec.prompt.shots, ShotRows)
        or any(isinstance(stage, SftStage) for stage in spec.stages.values())
    )
    shown = words_shown(case)
    if shown.strip() and not taught and mark.lower() not in shown.lower():
        case.warning(
            "unshown-mark",
            ("answer", key),
            f"answers are read from `{shortened(mark)}`, which `[prompt]` shows nowhere",
            f"ask for it in `system` or `user`, such as `{shortened(form)}`",
        )
