"""The ideal completion: the answer in it is read back, and its layout is paid in full."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from compiler.assemble import assemble
from compiler.closest import shortened
from compiler.literals import Template, parse_template
from compiler.pieces import read_piece
from compiler.resolve.ideal import ideal_template, layout_tags
from compiler.resolve.thinking import begins_thinking
from compiler.rules.case import Case
from compiler.rules.patterns import PatternError, compiled, exploding_text
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
from spec_schema.rewards import Reward

__all__ = ["has_ideal", "ideal_is_read_back", "ideal_is_well_formed", "shots_are_read"]

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
    if answer is None or assistant is None:
        return
    options = case.spec.data.options
    fixed = tuple(options) if isinstance(options, list) else ()
    gold = _stand_in(answer, fixed)
    text = _filled(_parts(assistant), gold)
    # A column may hold the whole completion, its marks included: only the rows can tell.
    if text is None or len(text) > LONGEST or (COLUMN in text and gold not in text):
        return
    said = _said(case, text)
    found = _answers(answer, said, fixed)
    if found is None:
        return
    read = _chosen(answer, found)
    if read is None:
        unclosed = text.strip() and not said
        lack = "its thinking is not closed by `</think>`" if unclosed else _lack(answer)
        message = f"no answer can be read from the ideal completion: {lack}"
        hint = "write `assistant` as `[answer]` reads it"
    elif gold not in read and COLUMN in read:
        return
    elif gold not in read:
        message = f"what is read from the ideal completion is not its gold, but `{_shown(read)}`"
        hint = "put `{gold}` where `[answer]` reads it"
    elif answer.compare not in ("number", "math") and gold not in (read, _undressed(read)):
        message = f"the answer in the ideal completion is `{_shown(read)}`, more than the gold"
        hint = "let nothing but `{gold}` stand where `[answer]` reads"
    else:
        return
    related = ((("answer",), "how it is read"),)
    case.error("unpaid-ideal", ("prompt", "assistant"), message, hint, related=related)


def shots_are_read(case: Case) -> None:
    """An answer can be read from each shot that is written out."""
    answer, shots = case.spec.answer, case.spec.prompt.shots
    if answer is None or not isinstance(shots, list):
        return
    options = case.spec.data.options
    fixed = tuple(options) if isinstance(options, list) else ()
    for position, shot in enumerate(shots):
        said = _said(case, shot.assistant)
        found = _matches(answer, said) or _answers(answer, said, fixed)
        if found is not None and shot.assistant.strip() and _chosen(answer, found) is None:
            case.warning(
                "unread-shot",
                ("prompt", "shots", position, "assistant"),
                f"no answer can be read from this shot: {_lack(answer)}",
                "write it as `[answer]` reads it: the model is shown what it is to write",
                related=((("answer",), "how it is read"),),
            )


def ideal_is_well_formed(case: Case) -> None:
    """The ideal completion has the layout that a reward pays for, where its text shows that."""
    assistant, system = case.spec.prompt.assistant, system_text(case)
    text = _filled(_made(case) if assistant is None else _parts(assistant), GOLD)
    if text is None:
        return
    for name, reward in case.spec.rewards.items():
        arguments = _looked_at(case, reward, text, system)
        if arguments is None or _piece(reward.kind, f"score_{reward.kind}")(*arguments) == 1:
            continue
        fault = _piece(reward.kind, f"explain_{reward.kind}")(*arguments)
        tags = getattr(reward, "tags", None)
        case.error(
            "unpaid-ideal",
            ("rewards", name, "tags") if tags else ("rewards", name),
            f"the ideal completion is not paid by `{name}`: {fault}",
            _mended_form(case, reward),
            at="value" if tags else "key",
            related=((("prompt", "assistant"), "the ideal completion"),) if assistant else (),
        )


def _looked_at(
    case: Case, reward: Reward, text: str, system: str
) -> tuple[str] | tuple[str, tuple[str, ...]] | None:
    """What a reward for the layout scores of a text; None where the text cannot tell."""
    opened = "<think>" if begins_thinking(case.spec) else ""
    match reward.kind:
        case "xml_format" | "xml_tags":
            tags = tuple(reward.tags) if reward.tags else layout_tags(case.spec, system)
            if len(set(tags)) < max(1, len(tags)):
                return None  # other rules speak of these tags
            text = f"{opened}{text}" if tags[0] == "think" else text
            tokens = [token for tag in tags for token in (f"<{tag}>", f"</{tag}>")]
            looked_at = (text, tags)
        case "think_format":
            text = f"{opened}{text}"
            tokens = ["<think>", "</think>"]
            looked_at = (text.strip(),)
        case "boxed_format":
            text = _said(case, text)
            tokens = ["\\boxed"]
            looked_at = (text,)
        case _:
            return None
    may_come = COLUMN in text and not all(token in text for token in tokens)
    return None if may_come else looked_at  # a column may bring what is missing


def _mended_form(case: Case, reward: Reward) -> str:
    if reward.kind == "think_format" and begins_thinking(case.spec):
        return "the prompt ends with `<think>`: begin `assistant` inside the block"
    if reward.kind == "think_format":
        return "begin `assistant` with `<think>...</think>`, and let the answer follow"
    if reward.kind == "boxed_format":
        return "let `assistant` hold one `\\boxed{...}`"
    return "let `tags` and `assistant` say the same, or leave one of them out"


def _made(case: Case) -> Template | None:
    """The ideal completion that is made where the spec writes none."""
    written = case.spec.prompt.assistant is not None
    return None if written else ideal_template(case.spec, system_text(case))


def _parts(assistant: str) -> Template | None:
    try:
        return parse_template(assistant)
    except ValueError:
        return None


def _stand_in(answer: Answer, options: tuple[str, ...]) -> str:
    """A text in the place of the gold, in a form that the reader reads."""
    if answer.extract not in ("json", "choice"):
        return GOLD
    from compiler.resolve.answers.structured import stand_in

    return stand_in(answer, options, GOLD)


def _said(case: Case, text: str) -> str:
    """The part of a completion that the reader looks at."""
    opened = begins_thinking(case.spec)
    if not opened and "think>" not in text:
        return text.strip()
    return _piece("thinking", "after_thinking")(text.strip(), opened=opened)


def _undressed(read: str) -> str:
    return _piece("undress", "undressed")(read)


def _filled(template: Template | None, gold: str) -> str | None:
    if template is None:
        return None
    holes = {None: "", "gold": gold, "gold_label": gold}
    return "".join(before + holes.get(name, COLUMN) for before, name in template)


def _answers(answer: Answer, text: str, options: tuple[str, ...]) -> list[str] | None:
    """All answers in a text, by the reader that the project gets; None where it cannot tell."""
    match answer:
        case XmlAnswer(tag=tag):
            reader = ("extract_xml", "xml_blocks", (tag,))
        case BoxedAnswer():
            reader = ("extract_boxed", "boxed", ())
        case AfterAnswer(marker=marker):
            reader = ("extract_after", "after_marker", (marker,))
        case LastNumberAnswer():
            reader = ("extract_last_number", "numbers_in", ())
        case WholeAnswer():
            reader = ("extract_whole", "whole_text", ())
        case RegexAnswer(pattern=pattern):
            slow = exploding_text(pattern, 0, "findall") is not None
            ready = None if slow else _with_stand_in(pattern)
            return None if ready is None else [found["answer"] for found in ready.finditer(text)]
        case _:
            from compiler.resolve.answers.structured import finder_of

            finder = finder_of(answer, options)
            # A column may hold any JSON, where its stand-in is none.
            if finder is None or (answer.extract == "json" and COLUMN in text):
                return None
            reader = finder[:3]
    piece, function, arguments = reader
    return _piece(piece, function)(text, *arguments)


def _matches(answer: Answer, text: str) -> list[str]:
    """What a pattern of the user's finds in a text that holds a real answer."""
    if not isinstance(answer, RegexAnswer) or exploding_text(answer.pattern, 0, "findall"):
        return []
    try:
        ready = compiled(answer.pattern)
    except PatternError:
        return []
    return [found["answer"] for found in ready.finditer(text) if "answer" in ready.groupindex]


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
            lack = f"it has no `<{shortened(tag)}>...</{shortened(tag)}>`"
        case BoxedAnswer():
            lack = "it has no `\\boxed{...}`"
        case AfterAnswer(marker=marker):
            lack = f"nothing stands after `{shortened(marker)}` on its line"
        case RegexAnswer():
            lack = "the pattern is not found in it"
        case LastNumberAnswer() | WholeAnswer():
            lack = "it has no number of its own"
        case _:
            wanted = {"json": "JSON with that path", "code": "closed block of that language"}
            lack = f"it has no {wanted.get(str(answer.extract), 'choice of an option')}"
    return lack


def _shown(read: str) -> str:
    """What was read as the author of the template would write it."""
    return shortened(" ".join(read.split()).replace(GOLD, "{gold}").replace(COLUMN, "..."))


@cache
def _piece(piece: str, function: str) -> Callable[..., Any]:
    """A function of the library that projects are made of, so that there is one reader only."""
    module: dict[str, Any] = {}
    source = assemble('"""One piece and its needs."""\n', (piece,), read_piece, {})
    exec(compile(source, f"{piece}.py", "exec"), module)  # noqa: S102  # the library's own text
    return module[function]
