"""What is decided about chat template and tokens, the same for every script that uses them."""

from compiler.chat.facts import ChatFacts, chat_facts
from compiler.chat.named import NAMED
from compiler.families import family_of
from compiler.resolve.own_data import format_of
from spec_schema import TaskSpec

__all__ = [
    "FOLD",
    "asks_system",
    "base_facts",
    "folds_system",
    "preamble",
    "sets_up_tokens",
    "switch_of",
    "tokenizer_code",
    "tokenizer_import",
]


# In front of a template without a system role; one blank line parts the two texts.
FOLD = (
    "{%- if messages[0].role == 'system' and messages[1:2] and messages[1].role == 'user' -%}\n"
    "{%- set messages = [{'role': 'user', 'content': messages[0].content + '\\n\\n' + "
    "messages[1].content}] + messages[2:] -%}\n"
    "{%- endif -%}\n"
)
ANY_SWITCH = "enable_thinking"  # what templates of most families call it


def base_facts(spec: TaskSpec) -> ChatFacts:
    """What is known of the chat template that the model is trained with.

    Of a file nothing is: the rules render it, and refuse what it does not bear.
    """
    own = spec.model.chat_template
    if own is None:
        return chat_facts(spec.model.base)
    if own not in NAMED:
        return ChatFacts()
    return ChatFacts(has_system_role=NAMED[own].has_system_role, switch="")


def folds_system(spec: TaskSpec) -> bool:
    """Whether a system message goes into the first user turn.

    Kept where the template is known to have a system role, folded where it is known to have none.
    Where neither is known it is kept, and tokens.py refuses a template that does not take it.
    """
    if spec.model.system_role != "auto":
        return spec.model.system_role == "fold"
    if base_facts(spec).has_system_role is not False:
        return False
    # Conversations of the rows may begin with a system message as well.
    said = any({"messages", "prompt"} & {*format_of(spec, name)} for name in spec.stages)
    return said or spec.prompt.system is not None


def switch_of(facts: ChatFacts) -> str:
    """The variable of a template that turns thinking on and off."""
    return facts.switch or ANY_SWITCH


def preamble(spec: TaskSpec) -> str:
    """What stands in front of the chat template, "" where it is right as it is.

    The default of a switch is set, so that whoever renders a prompt may still choose.
    """
    front = FOLD if folds_system(spec) else ""
    if spec.model.thinking == "auto":
        return front
    switch, value = switch_of(base_facts(spec)), str(spec.model.thinking == "on").lower()
    front += (
        f"{{%- if {switch} is not defined -%}}{{%- set {switch} = {value} -%}}{{%- endif -%}}\n"
    )
    return front


def asks_system(spec: TaskSpec) -> bool:
    """Whether only the template itself tells what becomes of the system message that is kept."""
    has_system = spec.prompt.system is not None
    is_known = spec.model.chat_template is not None or base_facts(spec).has_system_role is not None
    return has_system and not folds_system(spec) and not is_known


def sets_up_tokens(spec: TaskSpec) -> bool:
    """Whether there is something to set in the tokenizer, so that the project has tokens.py."""
    template = spec.model.chat_template is not None or bool(preamble(spec)) or asks_system(spec)
    tokens = base_facts(spec).ends_unstopped or bool(family_of(spec.model.base).spare)
    return template or tokens


def _takes_tokens(spec: TaskSpec, model: str | None) -> bool:
    """Whether tokens.py loads the tokenizer of a stage: that of the base, or of a model like it.

    A stage's own model of another family keeps its template and its tokens as they are.
    """
    if model is None or model == spec.model.base:
        return sets_up_tokens(spec)
    alike = family_of(model) == family_of(spec.model.base)
    return sets_up_tokens(spec) and alike and chat_facts(model) == chat_facts(spec.model.base)


def tokenizer_import(spec: TaskSpec, model: str | None = None) -> str:
    """The import of what loads the tokenizer of the base, or of a stage's own `model`."""
    if _takes_tokens(spec, model):
        return "from tokens import load_tokenizer"
    return "from transformers import AutoTokenizer"


def tokenizer_code(
    spec: TaskSpec, path: str, revision: str | None = None, model: str | None = None
) -> str:
    """The expression that loads the tokenizer of the model at `path`, itself an expression."""
    if _takes_tokens(spec, model):
        return f"load_tokenizer({path})"
    options = "" if revision is None else f", revision={revision}"
    return f"AutoTokenizer.from_pretrained({path}{options})"
