"""Contexts of the training scripts, stages.py and rewards.py."""

from typing import Any, Literal, NamedTuple

from compiler.plan.values import Argument, Origin

__all__ = ["Batch", "LoraPlan", "MixPlan", "RewardPlan", "RewardsFile", "StagePlan", "StagesFile"]


class Batch(NamedTuple):
    """One optimizer step: `per_device * accumulation` sequences on the one device."""

    per_device: int
    accumulation: int

    @property
    def sequences(self) -> int:
        """Sequences in one optimizer step."""
        return self.per_device * self.accumulation


class LoraPlan(NamedTuple):
    """The adapter of a stage as the arguments of `LoraConfig`."""

    r: int
    arguments: tuple[Argument, ...]


class MixPlan(NamedTuple):
    """The rewards that one stage calls, with their weights."""

    stage: str
    weights: tuple[tuple[str, float], ...]
    code: str


class StagePlan(NamedTuple):
    """Context of one train_<stage>.py."""

    name: str
    method: Literal["sft", "grpo"]
    docstring: str
    start: str | None
    start_code: str
    tokenizer_code: str
    stages_import: str
    arguments: tuple[Argument, ...]
    lora: LoraPlan | None
    mix: MixPlan | None
    prompts_code: str
    batch: Batch
    group: int | None
    evaluates: bool
    name_code: str

    def value(self, name: str) -> Any:  # noqa: ANN401  # a config field holds any TOML value
        """The value of a config field that the script writes out, else None."""
        found = (argument for argument in self.arguments if argument.name == name)
        return next((argument.value.value for argument in found), None)


class StagesFile(NamedTuple):
    """Context of stages.py."""

    base: str
    revision: str | None
    sources: str
    packages: str
    lora: bool
    chained: bool


class RewardPlan(NamedTuple):
    """One reward of the spec: its function as text, its constants, and how it explains itself."""

    name: str
    kind: str
    lowest: float
    highest: float
    weight: float
    about: str
    function: str
    constants: tuple[str, ...]
    reason: str
    origin: Origin


class RewardsFile(NamedTuple):
    """Context of rewards.py."""

    rewards: tuple[RewardPlan, ...]
    constants: tuple[str, ...]
    mixes: tuple[MixPlan, ...]
    imports: tuple[str, ...]
    has_answer: bool
    has_ideal: bool
    tokenizer: str | None
    count_tokens: str
    revision: str | None
    has_python: bool
    names: str
    name_width: int
