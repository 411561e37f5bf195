"""Where a stage starts, and which of its weights it trains."""

from typing import NamedTuple

from compiler.literals import text_literal
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from spec_schema import TaskSpec
from spec_schema.model import LowRank

__all__ = [
    "ADAPTERS",
    "adapter_of",
    "adapter_path",
    "has_adapters",
    "is_quantized",
    "model_of",
    "plan_start",
    "start_of",
    "starts_from_hub",
    "uses_unsloth",
]

LOCAL = ("./", "../", "/")
ADAPTERS = {"lora": "LoRA", "qlora": "QLoRA", "dora": "DoRA"}


class Start(NamedTuple):
    """The stage that a script starts from, None without one, and the model's path as it says it.

    `model` is the expression of a model of the stage's own, `revision` that of the base.
    """

    stage: str | None
    code: str
    stages_import: str
    model: str | None = None
    revision: str | None = None

    @property
    def revision_code(self) -> str | None:
        """The revision as an expression."""
        return None if self.revision is None else text_literal(self.revision)


def start_of(inputs: Inputs, name: str) -> str | None:
    """The stage that this one starts from, or None for the base or a model of its own.

    Left out it is the last one before that trained the policy: a reward model is a side branch.
    """
    stage = inputs.spec.stages[name]
    if stage.model is not None:
        return None
    if stage.from_ is not None:
        return None if stage.from_ == "base" else stage.from_
    before = inputs.stage_names[: inputs.stage_names.index(name)]
    policies = (
        each for each in reversed(before) if METHODS[inputs.spec.stages[each].method].trains_policy
    )
    return next(policies, None)


def model_of(inputs: Inputs, name: str) -> str:
    """The model from which the stage, and those that it follows, go back to."""
    start = start_of(inputs, name)
    if start is not None:
        return model_of(inputs, start)
    return inputs.spec.stages[name].model or inputs.spec.model.base


def starts_from_hub(inputs: Inputs, name: str) -> bool:
    """Whether a stage loads a model of the hub, and no stage's result or folder of the user's."""
    own = start_of(inputs, name) is None
    return own and not model_of(inputs, name).startswith(LOCAL)


def plan_start(inputs: Inputs, name: str, *, distributed: bool) -> Start:
    """Where the script of a stage gets its model from, and what it imports of stages.py."""
    model, stage = inputs.spec.stages[name].model, start_of(inputs, name)
    names = ["output_of", "save_result"]
    if distributed:
        names.append("require_processes")
    if model is not None:
        local = model.startswith(LOCAL)
        code = f"str(HERE / {text_literal(model)})" if local else text_literal(model)
        return Start(None, "MODEL", _import(*names, *(["HERE"] if local else [])), model=code)
    if stage is not None:
        return Start(stage, f"result_of({text_literal(stage)})", _import(*names, "result_of"))
    return Start(None, "BASE", _import(*names, "BASE"), revision=inputs.spec.model.revision)


def _import(*names: str) -> str:
    return f"from stages import {', '.join(sorted(names))}"


def adapter_of(spec: TaskSpec, name: str) -> LowRank | None:
    """The adapter that a stage trains, None where it trains all weights."""
    adapter = spec.stages[name].adapter or spec.model.adapter
    return None if adapter is None or adapter.kind == "none" else adapter


def adapter_path(spec: TaskSpec, name: str) -> tuple[str, ...]:
    """Where the spec says it."""
    own = spec.stages[name].adapter is not None
    return ("stages", name, "adapter") if own else ("model", "adapter")


def has_adapters(spec: TaskSpec) -> bool:
    """Whether any stage trains an adapter."""
    return any(adapter_of(spec, name) is not None for name in spec.stages)


def is_quantized(adapter: LowRank | None) -> bool:
    """Whether the weights beside an adapter are of 4 bit."""
    return adapter is not None and adapter.kind == "qlora"


def uses_unsloth(spec: TaskSpec) -> bool:
    """Whether the stages of a spec are trained with Unsloth."""
    return spec.hardware.backend == "unsloth"
