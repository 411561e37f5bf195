"""What the name of a base model tells of the chat template that comes with it.

Where TRL ships a family's template (`trl/chat_templates/`), a test renders it and holds these facts
against what comes out; the others are from the templates on the models' own pages.
"""

import re
from functools import cache
from typing import NamedTuple

__all__ = ["ChatFacts", "chat_facts", "hub_name"]


class ChatFacts(NamedTuple):
    """A chat template as its users meet it; None for what is not known.

    `switch` is the variable that turns thinking on and off, "" where it has none.
    A prompt for the next turn ends with `<think>` by default where `opens`, and where thinking is
    turned on with `opens_when_on`. `injects` names what it puts in that no message says.
    `forgets` says that the reasoning of earlier turns is left out. `is_missing`: there is none.
    `ends_unstopped`: the token that ends a turn is not the one that the tokenizer calls its end.
    """

    has_system_role: bool | None = None
    switch: str | None = None
    opens: bool = False
    opens_when_on: bool = False
    injects: str = ""
    forgets: bool = False
    is_missing: bool = False
    ends_unstopped: bool = False


@cache
def chat_facts(base: str) -> ChatFacts:
    """Tell from a hub id what its chat template does; of any other name nothing is known."""
    name = hub_name(base)
    found = (facts for pattern, facts in _NAMES if re.search(pattern, name))
    facts = next(found, ChatFacts())
    if re.fullmatch(_BARE, name):
        return ChatFacts(is_missing=True)
    return facts._replace(ends_unstopped=re.fullmatch(_ENDING_TEXTS, name) is not None)


def hub_name(base: str) -> str:
    """The name of a hub model without its owner; empty for a folder, whose name tells nothing."""
    return "" if base.startswith(("./", "../", "/")) else base.rpartition("/")[2].lower()


_PLAIN = ChatFacts(has_system_role=True, switch="")
_NO_SYSTEM = ChatFacts(has_system_role=False, switch="")
_THINKING = ChatFacts(has_system_role=True, switch="enable_thinking", forgets=True)
_OPENING = _PLAIN._replace(opens=True, forgets=True)
_OPENING_WITH_SWITCH = _THINKING._replace(opens=True, opens_when_on=True)
_DEFAULT_SYSTEM = "a system message of its own where a prompt has none"

# The first pattern found in the name counts.
_NAMES: tuple[tuple[str, ChatFacts], ...] = (
    (r"deepseek-r1-0528", ChatFacts()),
    (r"deepseek-r1", _OPENING),
    (r"qwq-32b-preview", _PLAIN._replace(injects=_DEFAULT_SYSTEM)),
    (r"qwq-32b", _OPENING),
    (r"qwen3-.*thinking-2507", _OPENING),
    (r"qwen3-.*instruct-2507|qwen3-coder", _PLAIN),
    (r"qwen3-\d", _THINKING),
    (r"qwen3\.5-(0\.8|2)b", _THINKING._replace(opens_when_on=True)),
    (r"qwen3\.[56]-", _OPENING_WITH_SWITCH),
    (
        r"qwen3\.[78]-",
        _OPENING_WITH_SWITCH._replace(injects="a text about how to think", forgets=False),
    ),
    (r"nvidia-nemotron-3", _OPENING_WITH_SWITCH._replace(injects="an empty system message")),
    (r"qwen2(\.5)?[-_]", _PLAIN._replace(injects=_DEFAULT_SYSTEM)),
    (r"qwen1\.5", _PLAIN),
    (r"tinyllama", _PLAIN),
    (r"llama-?3\.2", _PLAIN._replace(injects="the date of the day on which it is rendered")),
    (r"llama-?3\.[13]", _PLAIN._replace(injects="the date 26 Jul 2024")),
    (r"llama-?3", _PLAIN),
    (
        r"smollm3",
        _THINKING._replace(injects="the date of the day on which it is rendered", forgets=False),
    ),
    (r"smollm2", _PLAIN._replace(injects=_DEFAULT_SYSTEM)),
    (r"smollm", _PLAIN),
    (r"gemma-?4", ChatFacts(has_system_role=True, switch="enable_thinking")),
    (r"gemma-?3", _PLAIN),
    (r"gemma", _NO_SYSTEM),
    (r"mistral-7b-(instruct-)?v0\.[12]", _NO_SYSTEM),
    (r"mistral-7b", _PLAIN),
    (r"phi-(3|3\.5|4)", _PLAIN),
    (r"granite-3\.0", _PLAIN),
    (r"olmo-?2", _PLAIN),
    (r"lfm2", _PLAIN),
    (r"glm-4\.[5-7]", _THINKING),
    (r"gpt-oss", _PLAIN._replace(injects="the date of the day on which it is rendered")),
)

# Base models that come without a chat template; their tuned versions have other names.
_BARE = (
    r"(meta-)?llama-3(\.\d)?-\d+b|gemma-(2-)?\d+b|gemma-3-\d+(b|m)-pt|mistral-7b-v0\.\d"
    r"|smollm2?-\d+(\.\d)?(m|b)|smollm3-3b-base|olmo-2-\d+-\d+b|granite-3\.\d-\d+b-base"
)

# Models whose tokenizer names the end of a text as its end token, while the template ends a turn
# with another: base models with the template of the tuned ones, and some tuned ones.
_ENDING_TEXTS = (
    r"qwen(1\.5|2|2\.5)(-coder|-math)?-[\d.]+b|qwen3(\.5)?-.*-base|gemma-.*-it.*|phi-(3|4-mini).*"
)
