"""The token that ends a turn, where the tokenizer calls another one its end."""

from compiler.chat.named import NAMED, STAND_INS
from compiler.families import family_of
from compiler.resolve.chat import base_facts
from compiler.resolve.inputs import Inputs

__all__ = ["declared_end", "own_end"]


def declared_end(inputs: Inputs) -> str | None:
    """The end of a turn that tokens.py declares, None where the base's tokenizer has it."""
    model = inputs.spec.model
    unstopped = base_facts(inputs.spec).ends_unstopped
    return own_end(inputs) or (family_of(model.base).end_of_turn if unstopped else None)


def own_end(inputs: Inputs) -> str | None:
    """The token that ends a turn in the spec's own template, None for the tokenizer's own end."""
    own, text = inputs.spec.model.chat_template, inputs.chat_template
    if own is None or text is None:
        return None
    if own in NAMED:
        return NAMED[own].end_of_turn
    # Rendering needs Jinja, and most specs have no template of their own.
    from compiler.chat.reading import end_of_turn

    end = end_of_turn(text, STAND_INS)
    return None if end.is_declared else end.token
