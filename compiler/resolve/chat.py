"""What is decided about chat template and tokens, the same for every script that uses them."""

from compiler.chat.facts import ChatFacts, chat_facts
from compiler.families import family_of
from spec_schema import TaskSpec

__all__ = [
    "asks_system",
    "base_facts",
    "folds_system",
    "sets_up_tokens",
    "tokenizer_code",
    "tokenizer_import",
]


def base_facts(spec: TaskSpec) -> ChatFacts:
    """What is known of the chat template that the model is trained with."""
    return chat_facts(spec.model.base)


def folds_system(spec: TaskSpec) -> bool:
    """Whether a system message goes into the first user turn.

    Kept where the template is known to have a system role, folded where it is known to have none.
    Where neither is known it is kept, and tokens.py refuses a template that does not take it.
    """
    if spec.model.system_role != "auto":
        return spec.model.system_role == "fold"
    return spec.prompt.system is not None and base_facts(spec).has_system_role is False


def asks_system(spec: TaskSpec) -> bool:
    """Whether only the template itself tells what becomes of the system message that is kept."""
    has_system = spec.prompt.system is not None
    return has_system and not folds_system(spec) and base_facts(spec).has_system_role is None


def sets_up_tokens(spec: TaskSpec) -> bool:
    """Whether there is something to set in the tokenizer, so that the project has tokens.py."""
    changes_template = folds_system(spec) or spec.model.thinking != "auto" or asks_system(spec)
    other_end = base_facts(spec).ends_unstopped
    return changes_template or other_end or bool(family_of(spec.model.base).spare)


def tokenizer_import(spec: TaskSpec) -> str:
    """The import of what loads a tokenizer."""
    if sets_up_tokens(spec):
        return "from tokens import load_tokenizer"
    return "from transformers import AutoTokenizer"


def tokenizer_code(spec: TaskSpec, path: str, revision: str | None = None) -> str:
    """The expression that loads the tokenizer of the model at `path`, itself an expression."""
    if sets_up_tokens(spec):
        return f"load_tokenizer({path})"
    options = "" if revision is None else f", revision={revision}"
    return f"AutoTokenizer.from_pretrained({path}{options})"
