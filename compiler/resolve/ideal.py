"""The ideal completion of a row and its layout, and the columns that a spec uses."""

from compiler.layout import tags_of
from compiler.literals import Template, parse_template
from spec_schema import TaskSpec
from spec_schema.answer import (
    AfterAnswer,
    Answer,
    BoxedAnswer,
    LastNumberAnswer,
    WholeAnswer,
    XmlAnswer,
)
from spec_schema.rewards import XmlFormatReward, XmlTagsReward

__all__ = ["ideal_template", "layout_tags", "source_columns"]


def ideal_template(spec: TaskSpec, system: str | None) -> Template | None:
    """The ideal completion: the spec's own, else made from `extract` and the gold, else none."""
    if spec.prompt.assistant is not None:
        return parse_template(spec.prompt.assistant)
    if spec.answer is None or spec.data.gold is None:
        return None
    return _made(spec.answer, layout_tags(spec, system))


def source_columns(spec: TaskSpec) -> tuple[str, ...]:
    """The columns of the source that the prompt, the ideal completion, the gold or a field uses."""
    data = spec.data
    cuts = [*data.fields.values(), *([data.gold] if data.gold is not None else [])]
    templates = [spec.prompt.user, *([spec.prompt.assistant] if spec.prompt.assistant else [])]
    holes = [name for text in templates for _, name in parse_template(text) if name is not None]
    parts = {*data.fields, *(["gold"] if data.gold is not None else [])}
    named = [*(name for name in holes if name not in parts), *(cut.column for cut in cuts)]
    return tuple(dict.fromkeys(named))


def layout_tags(spec: TaskSpec, system: str | None) -> tuple[str, ...]:
    """The tags of the layout that is asked for, in order.

    Those that a format reward names; else those of the ideal completion, or of the system prompt,
    with the answer's tag at the end where it is not among them.
    """
    for reward in spec.rewards.values():
        if isinstance(reward, XmlFormatReward | XmlTagsReward) and reward.tags is not None:
            return tuple(reward.tags)
    tags = tags_of(spec.prompt.assistant or "") or tags_of(system or "")
    if isinstance(spec.answer, XmlAnswer) and spec.answer.tag not in tags:
        return (*tags, spec.answer.tag)
    return tags


def _made(answer: Answer, tags: tuple[str, ...]) -> Template | None:
    """An ideal completion with three dots where the spec says nothing of the content."""
    match answer:
        case XmlAnswer(tag=tag):
            layout = tags if tag in tags else (*tags, tag)
            blocks = [f"<{name}>\n{'{}' if name == tag else '...'}\n</{name}>" for name in layout]
            head, _, tail = "\n".join(blocks).partition("{}")
            return ((head, "gold"), (tail, None))
        case BoxedAnswer():
            return (("\\boxed{", "gold"), ("}", None))
        case AfterAnswer(marker=marker):
            return ((f"{marker} ", "gold"),)
        case WholeAnswer() | LastNumberAnswer():
            return (("", "gold"),)
        case _:
            return None
