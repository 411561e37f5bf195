"""Whether a completion begins inside a thinking block."""

from compiler.resolve.chat import base_facts
from spec_schema import TaskSpec

__all__ = ["begins_thinking"]


def begins_thinking(spec: TaskSpec) -> bool:
    """Whether the prompt ends with `<think>`: what the spec says, else what its base is known for.

    `python data.py` holds it against the prompt that the real chat template renders.
    """
    facts = base_facts(spec)
    match spec.model.opens_thinking, spec.model.thinking:
        case bool() as said, _:
            return said
        case _, "on":
            return facts.opens_when_on
        case _, "off":
            return False
        case _:
            return facts.opens
