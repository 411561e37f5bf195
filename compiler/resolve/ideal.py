"""The ideal completion of a row, its layout, and the parts of a row that it is filled from."""

from compiler.layout import tags_of
from compiler.literals import Template, parse_template
from compiler.resolve.own_data import builds_prompts
from compiler.resolve.solutions import solved
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
from spec_schema.rewards import Reward

__all__ = ["ideal_template", "layout_tags", "right_hole", "row_parts", "tags_named"]

# What a row has where its options are its own: they, the right one, and its letter.
OPTION_PARTS = ("options", "gold", "gold_label")


def ideal_template(spec: TaskSpec, system: str | None) -> Template | None:
    """The ideal completion: the spec's own, else made from the gold or a solution, else none."""
    if not builds_prompts(spec):
        return None
    if spec.prompt.assistant is not None:
        return parse_template(spec.prompt.assistant)
    if spec.answer is None or spec.data.gold is None:
        made = solved(spec)
    else:
        made = _made(spec, spec.answer, layout_tags(spec, system))
    if made and any(reward.kind == "think_format" for reward in spec.rewards.values()):
        made = _thoughtful(made)
    return _opened(made) if made and begins_thinking(spec) else made


def row_parts(spec: TaskSpec) -> tuple[str, ...]:
    """What a row has beside its columns and fields: the gold, and options of its own."""
    if spec.data.gold is None:
        return ()
    options = spec.data.options
    return ("gold",) if options is None or isinstance(options, list) else OPTION_PARTS


def right_hole(spec: TaskSpec) -> str:
    """The part of a row that an ideal completion answers with: a letter where there are some."""
    return "gold_label" if "gold_label" in row_parts(spec) else "gold"


def tags_named(reward: Reward) -> list[str] | None:
    """The tags that a format reward names, None where it names none or is of another kind."""
    if reward.kind == "xml_format":
        return reward.tags
    return reward.tags if reward.kind == "xml_tags" else None


def layout_tags(spec: TaskSpec, system: str | None) -> tuple[str, ...]:
    """The tags of the layout that is asked for, in order.

    Those that a format reward names; else those of the ideal completion, or of the system prompt,
    with the answer's tag at the end where it is not among them.
    """
    for reward in spec.rewards.values():
        if (named := tags_named(reward)) is not None:
            return tuple(named)
    tags = tags_of(spec.prompt.assistant or "") or tags_of(system or "")
    if isinstance(spec.answer, XmlAnswer) and spec.answer.tag not in tags:
        return (*tags, spec.answer.tag)
    return tags


def _thoughtful(made: Template) -> Template:
    """The completion with a thinking block in front of it, where its layout has none."""
    (head, name), *rest = made
    return made if "<think>" in head else ((f"<think>\n...\n</think>\n\n{head}", name), *rest)


def _opened(made: Template) -> Template:
    """The completion where the prompt opens its thinking: it ends that before it answers."""
    (head, name), *rest = made
    if head.startswith("<think>\n"):
        return ((head.removeprefix("<think>\n"), name), *rest)
    return ((f"...\n</think>\n\n{head}", name), *rest)


def _made(spec: TaskSpec, answer: Answer, tags: tuple[str, ...]) -> Template | None:
    """An ideal completion with three dots where the spec says nothing of the content."""
    right = right_hole(spec)
    match answer:
        case XmlAnswer(tag=tag):
            layout = tags if tag in tags else (*tags, tag)
            blocks = [f"<{name}>\n{'{}' if name == tag else '...'}\n</{name}>" for name in layout]
            head, _, tail = "\n".join(blocks).partition("{}")
            return ((head, right), (tail, None))
        case BoxedAnswer():
            return (("\\boxed{", right), ("}", None))
        case AfterAnswer(marker=marker):
            return ((f"{marker} ", right),)
        case WholeAnswer() | LastNumberAnswer():
            return (("", right),)
        case RegexAnswer():
            return None
        case _:
            from compiler.resolve.answers.structured import made_ideal

            return made_ideal(answer, right)
