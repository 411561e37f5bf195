"""What crafted completions are made of: the ideal one, changed."""

from typing import NamedTuple

from compiler.literals import Template, literal, text_literal
from compiler.plan.checks import ListedAnswers
from compiler.resolve.checks.graders import Grader
from compiler.resolve.ideal import ideal_template, right_hole
from compiler.resolve.inputs import Inputs
from compiler.resolve.thinking import begins_thinking
from spec_schema.answer import AfterAnswer, Answer, XmlAnswer

__all__ = ["Crafts", "crafts_of"]


class Crafts(NamedTuple):
    """What the crafted completions are made of, None for those that this task has not."""

    retracted: str | None = None
    listed: ListedAnswers | None = None
    cut_mark: str | None = None
    cut_text: str | None = None
    cut_end: str | None = None
    short_of: str | None = None

    @property
    def cuts(self) -> bool:
        """Whether a completion can be ended inside its answer."""
        return self.cut_mark is not None or self.cut_end is not None


def crafts_of(inputs: Inputs, graders: dict[str, Grader]) -> Crafts:
    """How completions are crafted from the ideal one."""
    spec, template = inputs.spec, ideal_template(inputs.spec, inputs.system)
    if template is None or not graders:
        return Crafts()
    if spec.answer is None or spec.data.gold is None:
        return Crafts(retracted="taken_back(right, false)", cut_end=_end(template, "```"))
    said = ("false", "right") if spec.answer.several == "first" else ("right", "false")
    opened = ", opened=True" if begins_thinking(spec) else ""
    retracted = f"taken_back({said[0]}, final_text({said[1]}{opened}))"
    crafts = _cut(spec.answer, template)._replace(
        retracted=retracted, listed=_listed(inputs, spec.answer, template)
    )
    may_be_cut = not crafts.cuts
    return crafts._replace(short_of=text_literal(right_hole(spec)) if may_be_cut else None)


def _cut(answer: Answer, template: Template) -> Crafts:
    """The ideal completion, ended inside its answer: the answer's mark is opened, never closed."""
    gold = 'before + opening + row["gold"]'
    match answer:
        case XmlAnswer(tag=tag):
            return Crafts(cut_mark=text_literal(f"<{tag}>"), cut_text=gold)
        case AfterAnswer(marker=marker):
            return Crafts(cut_mark=text_literal(marker), cut_text="before + opening")
        case _ if answer.extract == "boxed":
            return Crafts(cut_mark=text_literal("\\boxed{"), cut_text=gold)
        case _ if answer.extract == "code":
            return Crafts(cut_end=_end(template, "```"))
        case _ if answer.extract == "json":
            end = _end(template, "}") or _end(template, "]")
            return Crafts(cut_end=end or (text_literal("}") if template[-1][1] else None))
        case _:
            return Crafts()


def _end(template: Template, closing: str) -> str | None:
    """What stands behind the last hole, where that closes the answer."""
    tail, hole = template[-1]
    return text_literal(tail) if hole is None and closing in tail else None


def _listed(inputs: Inputs, answer: Answer, template: Template) -> ListedAnswers | None:
    """Several answers in the place of the one, None where the template does not show its place."""
    spec = inputs.spec
    gold = spec.data.gold
    holes = {name for _, name in template}
    places = ["gold_label", "gold"]
    if gold is not None and (gold.after, gold.before, gold.extract) == (None, None, None):
        places.append(gold.column)
    hole = next((name for name in places if name in holes), None)
    if hole is None:
        return None
    every = '[row["gold"], *(other["gold"] for other in others)]'
    if hole == "gold_label":
        every = '[row["gold_label"], *(other["gold_label"] for other in others)]'
    elif isinstance(spec.data.options, list):
        every = literal(spec.data.options)
    if answer.several == "first":  # of numbers without a mark the first one counts
        every = f"{every}[::-1]"
    # A set of all answers may be one that is asked for.
    may_be_right = answer.compare in ("set", "math")
    return ListedAnswers(text_literal(hole), every, may_be_right=may_be_right)
