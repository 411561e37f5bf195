"""The ideal completion: the answer in it is read back, and its layout is paid in full."""

import re
import runpy
from collections.abc import Callable
from functools import cache
from typing import Any

from compiler.closest import shortened
from compiler.literals import Template, parse_template
from compiler.places import templates_folder
from compiler.resolve.ideal import ideal_template, layout_tags
from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled
from compiler.rules.texts import system_text
from spec_schema.answer import (
    AfterAnswer,
    Answer,
    BoxedAnswer,
    LastNumberAnswer,
    RegexAnswer,
    WholeAnswer,
    XmlAnswer,
)
from spec_schema.rewards import XmlFormatReward, XmlTagsReward

__all__ = ["has_ideal", "ideal_is_read_back", "ideal_is_well_formed"]

# Stand-ins for the gold and for a column: nothing in the text of a template is taken for them.
GOLD = "71930517"
COLUMN = "\ue000"
# A user's pattern can take long on a long text, and what is wrong shows in a short one.
LONGEST = 20_000


def has_ideal(case: Case) -> bool:
    """Whether there is an ideal completion, written or made."""
    return case.spec.prompt.assistant is not None or _made(case) is not None


def ideal_is_read_back(case: Case) -> None:
    """What `[answer]` reads from the ideal completion is its gold, whatever that is."""
    assistant, answer = case.spec.prompt.assistant, case.spec.answer
    text = None if assistant is None else _filled(_parts(assistant))
    # The reader strips a completion before it looks.
    text = None if text is None else text.strip()
    if answer is None or text is None or len(text) > LONGEST:
        return
    # A column may hold the whole completion, its marks included: only the rows can tell.
    if COLUMN in text and GOLD not in text:
        return
    found = _answers(answer, text)
    if found is None:
        return
    read = _chosen(answer, found)
    if read is None:
        message = f"no answer can be read from the ideal completion: {_lack(answer)}"
        hint = "write `assistant` as `[answer]` reads it"
    elif GOLD not in read and COLUMN in read:
        return
    elif GOLD not in read:
        message = f"what is read from the ideal completion is not its gold, but `{_shown(read)}`"
        hint = "put `{gold}` where `[answer]` reads it"
    elif read != GOLD and answer.compare != "number":
        message = f"the answer in the ideal completion is `{_shown(read)}`, more than the gold"
        hint = "let nothing but `{gold}` stand where `[answer]` reads"
    else:
        return
    related = ((("answer",), "how it is read"),)
    case.error("unpaid-ideal", ("prompt", "assistant"), message, hint, related=related)


def ideal_is_well_formed(case: Case) -> None:
    """The ideal completion has the layout that a reward pays for, where its text shows that."""
    assistant, system = case.spec.prompt.assistant, system_text(case)
    text = _filled(_made(case) if assistant is None else _parts(assistant))
    if text is None:
        return
    for name, reward in case.spec.rewards.items():
        if not isinstance(reward, XmlFormatReward | XmlTagsReward):
            continue
        tags = tuple(reward.tags) if reward.tags else layout_tags(case.spec, system)
        tokens = (token for tag in tags for token in (f"<{tag}>", f"</{tag}>"))
        if len(set(tags)) < max(1, len(tags)) or (
            COLUMN in text and not all(token in text for token in tokens)
        ):
            continue  # other rules speak of these tags, or a column may bring them
        if _piece("rewards", reward.kind, f"score_{reward.kind}")(text, tags) < 1:
            explain = _piece("rewards", reward.kind, f"explain_{reward.kind}")
            case.error(
                "unpaid-ideal",
                ("rewards", name, "tags"),
                f"the ideal completion is not paid by `{name}`: {explain(text, tags)}",
                "let `tags` and `assistant` say the same, or leave one of them out",
                at="value" if reward.tags else "key",
                related=((("prompt", "assistant"), "the ideal completion"),) if assistant else (),
            )


def _made(case: Case) -> Template | None:
    """The ideal completion that is made where the spec writes none."""
    written = case.spec.prompt.assistant is not None
    return None if written else ideal_template(case.spec, system_text(case))


def _parts(assistant: str) -> Template | None:
    try:
        return parse_template(assistant)
    except ValueError:
        return None


def _filled(template: Template | None) -> str | None:
    if template is None:
        return None
    holes = {None: "", "gold": GOLD}
    return "".join(before + holes.get(name, COLUMN) for before, name in template)


def _answers(answer: Answer, text: str) -> list[str] | None:
    """All answers in a text, by the reader that the project gets; None where it cannot tell."""
    match answer:
        case XmlAnswer(tag=tag):
            return _piece("answers", "extract_xml", "xml_blocks")(text, tag)
        case BoxedAnswer():
            return _piece("answers", "extract_boxed", "boxed")(text)
        case AfterAnswer(marker=marker):
            return _piece("answers", "extract_after", "after_marker")(text, marker)
        case LastNumberAnswer():
            return _piece("answers", "extract_last_number", "numbers_in")(text)
        case WholeAnswer():
            return [text]
        case RegexAnswer(pattern=pattern):
            ready = _with_stand_in(pattern)
            return None if ready is None else [found["answer"] for found in ready.finditer(text)]


def _with_stand_in(pattern: str) -> re.Pattern[str] | None:
    """The pattern with the stand-in as its answer: the gold's own form is not known here."""
    head, opening, rest = pattern.partition("(?P<answer>")
    depth = 1
    for token in re.finditer(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]", rest, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            try:
                return compiled(f"{head}{opening}{GOLD}{rest[token.start() :]}")
            except PatternError:
                return None
    return None


def _chosen(answer: Answer, found: list[str]) -> str | None:
    if not found or (answer.several == "only" and len(set(found)) > 1):
        return None
    return found[0] if answer.several == "first" else found[-1]


def _lack(answer: Answer) -> str:
    """Why nothing is read."""
    if answer.several == "only":
        return 'it has none, or several, and `several = "only"`'
    match answer:
        case XmlAnswer(tag=tag):
            return f"it has no `<{shortened(tag)}>...</{shortened(tag)}>`"
        case BoxedAnswer():
            return "it has no `\\boxed{...}`"
        case AfterAnswer(marker=marker):
            return f"nothing stands after `{shortened(marker)}` on its line"
        case RegexAnswer():
            return "the pattern is not found in it"
        case _:
            return "it has no number of its own"


def _shown(read: str) -> str:
    """What was read as the author of the template would write it."""
    return shortened(" ".join(read.split()).replace(GOLD, "{gold}").replace(COLUMN, "..."))


@cache
def _piece(folder: str, piece: str, function: str) -> Callable[..., Any]:
    """A function of the library that projects are made of, so that there is one reader only."""
    return runpy.run_path(str(templates_folder() / folder / f"{piece}.py"))[function]
