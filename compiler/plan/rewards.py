"""Contexts of rewards.py: the rewards of a project, and the mixes that its stages call."""

from typing import NamedTuple

from compiler.plan.stages import MixPlan
from compiler.plan.values import Origin

__all__ = ["RewardPlan", "RewardsFile"]


class RewardPlan(NamedTuple):
    """One reward of the spec: its functions, their text and constants, and how it explains itself.

    The first function has the reward's name; stages with another limit call one of the others.
    """

    name: str
    kind: str
    lowest: float
    highest: float
    about: str
    functions: tuple[str, ...]
    code: str
    constants: tuple[str, ...]
    reason: str
    origin: Origin
    gate: str | None = None


class RewardsFile(NamedTuple):
    """Context of rewards.py."""

    rewards: tuple[RewardPlan, ...]
    constants: tuple[str, ...]
    mixes: tuple[MixPlan, ...]
    weight_type: str
    has_gates: bool
    imports: tuple[str, ...]
    has_answer: bool
    has_ideal: bool
    tokenizer: str | None
    count_tokens: str
    revision: str | None
    has_python: bool
    names: str
    name_width: int
