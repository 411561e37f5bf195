"""What the real chat template and tokenizer make of the rows, said before a GPU is paid for."""

from collections.abc import Mapping
from typing import Any

from transformers import GenerationConfig

from findings import told
from prompts import SYSTEM
from stages import BASE

Messages = list[dict[str, str]]
QUESTION = {"role": "user", "content": "What is six times seven?"}
ANSWER = {"role": "assistant", "content": "Forty-two"}


def check_prompt(prompt: Messages, tokenizer: Any) -> list[str]:
    """What is wrong with how a prompt begins, what it keeps, and how its answer ends."""
    text = rendered(prompt, tokenizer, prompts=True)
    findings = beginning(text, tokenizer)
    if SYSTEM.strip() not in text:
        findings += ["error: the chat template drops the system prompt, or changes its text"]
    return findings + ending(tokenizer)


def rendered(messages: Messages, tokenizer: Any, *, prompts: bool = False) -> str:
    """The text of a conversation, with `prompts` up to where the next answer begins."""
    return tokenizer.apply_chat_template(messages, add_generation_prompt=prompts, tokenize=False)


def beginning(text: str, tokenizer: Any) -> list[str]:
    """Whether a prompt begins with one begin-of-text token: none is added to what is rendered."""
    begin = tokenizer.bos_token
    if begin and text.startswith(begin * 2):
        return [f"error: the chat template begins a prompt with {begin} twice"]
    begins_texts = tokenizer("a")["input_ids"][0] == tokenizer.bos_token_id
    if begins_texts and not text.startswith(begin):
        return [f"warning: the chat template begins no prompt with {begin}, as other texts begin"]
    return []


def ending(tokenizer: Any) -> list[str]:
    """Whether an answer ends with a token that stops the model, which it is taught to write."""
    rest = rendered([QUESTION, ANSWER], tokenizer).rpartition(ANSWER["content"])[2].lstrip()
    if not rest:
        return ["error: the chat template writes nothing at the end of an answer: nothing to learn"]
    first = tokenizer.encode(rest, add_special_tokens=False)[0]
    if first in stop_tokens(tokenizer):
        return []
    shown = tokenizer.decode([first])
    return [
        f"error: an answer ends with {shown!r}, which is none of the tokens that stop the model"
    ]


def stop_tokens(tokenizer: Any) -> set[int]:
    """The tokens that end a completion: the tokenizer's, and those that the model declares."""
    try:
        declared = GenerationConfig.from_pretrained(BASE).eos_token_id
    except (OSError, ValueError):
        declared = None  # the model declares none
    tokens = declared if isinstance(declared, list) else [declared]
    return {tokenizer.eos_token_id, *tokens} - {None}


def changed_answers(part: str, rows: Mapping[int, Messages], tokenizer: Any) -> list[str]:
    """Conversations of which another text would be learnt, by the numbers of their rows.

    Some templates leave out the thinking of earlier turns, some that of every turn.
    """
    last: list[int] = []
    earlier: list[int] = []
    for number, messages in rows.items():
        cut = cut_turns(messages, rendered(messages, tokenizer))
        last += [number] if any(cut[:1]) else []
        earlier += [number] if any(cut[1:]) else []
    return [
        *told("error", part, "whose answer the chat template cuts: another is learnt", last),
        *told("warning", part, "of which the chat template cuts an earlier answer", earlier),
    ]


def cut_turns(messages: Messages, text: str) -> list[bool]:
    """Whether each turn of the assistant is missing in the rendered text, the last one first."""
    end = len(text)  # backwards, so that of two turns that say the same the earlier one is missed
    cut: list[bool] = []
    for turn in reversed(messages):
        if turn["role"] == "assistant":
            found = text.rfind(turn["content"].strip(), 0, end)
            cut.append(found < 0)
            end = end if found < 0 else found
    return cut
