"""How a training script uses Unsloth."""

from typing import NamedTuple

from compiler.plan.values import Argument

__all__ = ["UnslothPlan"]


class UnslothPlan(NamedTuple):
    """The calls of `FastLanguageModel` in one training script.

    `loading` are the arguments of `from_pretrained`, `adapter` those of `get_peft_model`: empty
    where all weights are trained. `standby`: vLLM gives its memory back while the model trains.
    """

    loading: tuple[Argument, ...]
    adapter: tuple[Argument, ...]
    standby: bool
