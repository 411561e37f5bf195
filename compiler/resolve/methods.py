"""What is known of a method beside its keys: its names, and what an optimizer step of it counts."""

from typing import NamedTuple

from compiler.plan.stages import MethodName

__all__ = ["METHODS", "Method"]


class Method(NamedTuple):
    """A method of training.

    `title` is its name in a text, `on` what it learns from. A step counts `unit`s, each of
    `sequences` for the model, but for a method that samples, where `num_generations` says how many.
    `trains_policy`: the stages after it start from its result. `compares`: its loss is about the
    policy beside a reference, whatever `beta` is.
    """

    title: str
    on: str
    unit: str
    sequences: int = 1
    trains_policy: bool = True
    compares: bool = False


METHODS: dict[MethodName, Method] = {
    "sft": Method("SFT", "the ideal completions", "row"),
    "reward": Method("reward model", "preferences", "pair", sequences=2, trains_policy=False),
    "dpo": Method("DPO", "preferences", "pair", sequences=2, compares=True),
    "kto": Method("KTO", "answers marked as good or bad", "row", compares=True),
    "grpo": Method("GRPO", "the rewards", "prompt"),
    "rloo": Method("RLOO", "the rewards", "prompt"),
}
