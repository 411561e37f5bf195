"""The chat template itself, where it lies on this machine: it renders the prompt of the spec.

Everything here is imported only where there is a template to look at.
"""

from typing import NamedTuple

from compiler.chat.at_hand import TemplateAtHand
from compiler.chat.named import STAND_INS
from compiler.chat.reading import (
    QUESTION,
    end_of_turn,
    lost_texts,
    opens_thinking,
    switches,
    takes_system,
)
from compiler.chat.rendering import Message, TemplateFault, rendered
from compiler.parse import KeyPath
from compiler.resolve.chat import base_facts, folds_system, preamble, switch_of
from compiler.resolve.ideal import ideal_template
from compiler.resolve.thinking import begins_thinking
from compiler.rules.case import Case
from compiler.rules.texts import system_text
from spec_schema.prompt import ShotRows

__all__ = ["check_template"]


class _Looked(NamedTuple):
    """A template under the rules, as the project sets it up, and the key that it comes from."""

    case: Case
    path: KeyPath
    name: str
    bare: str
    tokens: dict[str, str]
    adds_begin: bool

    @property
    def text(self) -> str:
        """The template as tokens.py sets it up."""
        return preamble(self.case.spec) + self.bare

    def error(self, code: str, message: str, *hints: str) -> None:
        """Report at the key."""
        self.case.error(code, self.path, f"{self.name} {message}", *hints)

    def warning(self, code: str, message: str, *hints: str) -> None:
        """Report at the key."""
        self.case.warning(code, self.path, f"{self.name} {message}", *hints)


def check_template(case: Case, own: str | None, at_hand: TemplateAtHand | None) -> None:
    """Look at the spec's own chat template, else at that of the base."""
    model = case.spec.model
    tokens = {**STAND_INS, **(at_hand.tokens if at_hand else {})}
    adds_begin = at_hand is not None and at_hand.adds_begin
    if own is not None:
        path, name = ("model", "chat_template"), "this chat template"
        _look(_Looked(case, path, name, own, tokens, adds_begin))
    elif at_hand is not None and at_hand.text is None:
        case.error(
            "no-chat-template",
            ("model", "base"),
            f"the tokenizer of `{model.base}` has no chat template",
            "name one as `chat_template`, such as `zephyr`, which needs no token of its own",
        )
    elif at_hand is not None and at_hand.text is not None:
        name = f"the chat template of `{model.base}`"
        path = ("model", "base")
        _look(_Looked(case, path, name, at_hand.text, at_hand.tokens, adds_begin))


def _look(looked: _Looked) -> None:
    spec = looked.case.spec
    has_system = spec.prompt.system is not None
    try:
        rendered(looked.bare, [QUESTION], looked.tokens, prompts=True)  # else it bears no prompt
        if has_system and not folds_system(spec) and not takes_system(looked.bare, looked.tokens):
            what = "refuses a system message, or drops it"
            looked.error("no-system-role", what, 'write `system_role = "fold"`')
            return
        prompt = rendered(looked.text, _prompt(looked.case), looked.tokens, prompts=True)
        _check_thinking(looked)
        _check_end(looked)
        _check_begin(looked, prompt)
        _check_kept(looked)
    except TemplateFault as fault:
        looked.error("bad-chat-template", f"cannot render this prompt: {fault}")


def _check_thinking(looked: _Looked) -> None:
    """The prompt opens a thinking block where answers are read so; a switch does something."""
    spec = looked.case.spec
    switch = switch_of(base_facts(spec))
    if spec.model.thinking != "auto" and not switches(looked.bare, switch, looked.tokens):
        looked.error("no-thinking-switch", f"has no switch `{switch}`", "leave `thinking` out")
        return
    opens = opens_thinking(looked.text, looked.tokens)
    if opens != begins_thinking(spec):
        what = "ends a prompt with `<think>`" if opens else "does not end a prompt with `<think>`"
        hint = f"write `opens_thinking = {str(opens).lower()}` in `[model]`"
        looked.error("template-differs", f"{what}, and every answer would be read otherwise", hint)


def _check_end(looked: _Looked) -> None:
    """A turn ends with a token of its own, which a model can learn to write."""
    end = end_of_turn(looked.text, looked.tokens)
    if not end.token:
        what = "writes nothing at the end of an answer: the model would never learn to stop"
        looked.error("bad-chat-template", what, "write the end token there, as `{{ eos_token }}`")


def _check_begin(looked: _Looked, prompt: str) -> None:
    """A prompt begins with one begin-of-text token: it is rendered whole, and none is added."""
    begin = looked.tokens.get("bos_token", "")
    if not begin or begin == STAND_INS["bos_token"]:
        return
    if prompt.startswith(begin * 2):
        looked.error("bad-chat-template", f"begins a prompt with `{begin}` twice")
    elif looked.adds_begin and not prompt.startswith(begin):
        what = f"begins no prompt with `{begin}`, as the tokenizer begins each text"
        looked.warning("bad-chat-template", what)


def _check_kept(looked: _Looked) -> None:
    """What the assistant says in the prompt, and learns to say, is rendered as it stands."""
    ideal = _ideal(looked.case)
    messages = _prompt(looked.case)
    if ideal is not None:
        messages.append({"role": "assistant", "content": ideal})
    lost = lost_texts(looked.text, messages, looked.tokens)
    if ideal is not None and len(messages) - 1 in lost and _learns(looked.case):
        what = "leaves out a part of the ideal completion, so that SFT would not learn it"
        looked.error("lost-text", what, _mended(looked))
    if [position for position in lost if position < len(messages) - 1]:
        what = "leaves out a part of the worked examples, as it does with earlier turns"
        looked.warning("lost-text", what, "write the examples without their thinking")


def _mended(looked: _Looked) -> str:
    thinks = "</think>" in (_ideal(looked.case) or "")
    return "write `assistant` without its thinking" if thinks else "write a template that keeps it"


def _learns(case: Case) -> bool:
    return any(stage.method == "sft" for stage in case.spec.stages.values())


def _prompt(case: Case) -> list[Message]:
    """The messages of a row, with the names of its columns in the place of its cells."""
    prompt = case.spec.prompt
    system, shots, user = system_text(case), prompt.shots, prompt.user or QUESTION["content"]
    messages: list[Message] = []
    if system:
        messages.append({"role": "system", "content": system})
    pairs = [(shot.user, shot.assistant) for shot in shots] if isinstance(shots, list) else []
    if isinstance(shots, ShotRows):
        pairs = [(user, _ideal(case) or "")] * len(shots.rows)
    for asked, assistant in pairs:
        messages.append({"role": "user", "content": asked})
        messages.append({"role": "assistant", "content": assistant})
    return [*messages, {"role": "user", "content": user}]


def _ideal(case: Case) -> str | None:
    """The ideal completion, with the names of columns in their holes."""
    ideal = ideal_template(case.spec, system_text(case))
    if ideal is None:
        return None
    return "".join(f"{text}{name or ''}" for text, name in ideal)
