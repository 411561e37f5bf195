"""Whether a completion begins inside a thinking block."""

from compiler.families import opens_thinking
from spec_schema import TaskSpec

__all__ = ["begins_thinking"]


def begins_thinking(spec: TaskSpec) -> bool:
    """Whether the prompt ends with `<think>`: what the spec says, else what its base is known for.

    `python data.py` holds it against the prompt that the real chat template renders.
    """
    said = spec.model.opens_thinking
    return opens_thinking(spec.model.base) if said is None else said
