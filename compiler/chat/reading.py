"""What rendering a chat template tells of it."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from compiler.chat.rendering import Message, TemplateFault, rendered

__all__ = [
    "QUESTION",
    "TurnEnd",
    "end_of_turn",
    "lost_texts",
    "opens_thinking",
    "switches",
    "takes_system",
]

QUESTION = {"role": "user", "content": "One and one?"}
ANSWER = "Two"


class TurnEnd(NamedTuple):
    """How a template ends what an assistant says: the token, "" where it writes none there.

    `is_declared`: it is the one that the tokenizer calls its end.
    """

    token: str
    is_declared: bool


def end_of_turn(template: str, tokens: Mapping[str, str]) -> TurnEnd:
    """Tell how an assistant's turn ends, before anything of a next message is written.

    A template that leaves it to the next message never teaches a model to stop.
    """
    answer = {"role": "assistant", "content": ANSWER}
    text = rendered(template, [QUESTION, answer], tokens)
    rest = text.rpartition(ANSWER)[2].lstrip()
    declared = tokens.get("eos_token", "")
    if declared and rest.startswith(declared):
        return TurnEnd(declared, is_declared=True)
    token = re.match(r"<[^<>\s]+>|\[[^\[\]\s]+\]", rest)
    return TurnEnd(token.group() if token else "", is_declared=False)


def lost_texts(
    template: str, messages: Sequence[Message], tokens: Mapping[str, str]
) -> tuple[int, ...]:
    """Tell the positions of the assistant's messages whose text is not rendered as it stands."""
    text = rendered(template, messages, tokens)
    end = len(text)  # backwards, so that of two that say the same the earlier one is missed
    lost: list[int] = []
    for position in reversed(range(len(messages))):
        if messages[position]["role"] != "assistant":
            continue
        found = text.rfind(messages[position]["content"].strip(), 0, end)
        if found < 0:
            lost.append(position)
        else:
            end = found
    return tuple(lost)


def opens_thinking(template: str, tokens: Mapping[str, str]) -> bool:
    """Whether a prompt ends with `<think>`, so that an answer begins inside the block."""
    prompt = rendered(template, [QUESTION], tokens, prompts=True)
    return prompt.rstrip().endswith("<think>")


def switches(template: str, switch: str, tokens: Mapping[str, str]) -> bool:
    """Whether a variable changes what is rendered."""
    texts = {
        rendered(template, [QUESTION], tokens, prompts=True, **{switch: value})
        for value in (True, False)
    }
    return len(texts) > 1


def takes_system(template: str, tokens: Mapping[str, str]) -> bool:
    """Whether a system message arrives in what is rendered: some templates refuse or drop it."""
    said = "Answer in one word"
    system = {"role": "system", "content": said}
    try:
        return said in rendered(template, [system, QUESTION], tokens, prompts=True)
    except TemplateFault:
        return False
