"""What a config says under Unsloth: its mechanics, and TRL's defaults where Unsloth has others."""

from collections.abc import Iterable

from compiler.plan.values import Argument
from compiler.resolve.arguments.entries import defaulted, tiered
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of

__all__ = ["unsloth_arguments"]

# Parts of the recipe for which Unsloth 2026.10.9 has a default of its own (unsloth/models/rl.py).
OWN_DEFAULTS = {"warmup_steps": "0.1 of all steps", "weight_decay": "0.001"}
# Losses beside which Unsloth sets what is left out, as their papers do.
PAPER_SETTINGS = frozenset({"dapo"})


def unsloth_arguments(inputs: Inputs, name: str) -> Iterable[Argument]:
    """The precision, the optimizer, and what keeps the recipe that of TRL."""
    stage, mechanics = inputs.spec.stages[name], mechanics_of(inputs, name)
    if mechanics.precision == "bfloat16":
        yield tiered("bf16", value=True)
    else:  # for models that leave its range Unsloth turns it off itself
        yield tiered("fp16", value=True, comment="this GPU has no bfloat16")
    if "optim" not in stage.trainer:
        yield tiered("optim", mechanics.optimizer)
    for field, own in OWN_DEFAULTS.items():
        if field not in stage.trainer:
            yield _kept(inputs, name, field, own)
    if stage.method == "grpo":
        yield from _kept_by_loss(inputs, name)


def _kept_by_loss(inputs: Inputs, name: str) -> Iterable[Argument]:
    stage = inputs.spec.stages[name]
    if stage.method != "grpo":
        return
    if stage.loss_type in PAPER_SETTINGS:
        if not stage.mask_truncated_completions:
            yield _kept(inputs, name, "mask_truncated_completions", "true")
        if stage.epsilon_high is None:
            epsilon = inputs.stack.default("grpo", "epsilon")
            value = epsilon if stage.epsilon is None else stage.epsilon
            yield defaulted("epsilon_high", value, "TRL's default", comment=_said("0.28"))
    field = "vllm_importance_sampling_correction"
    if mechanics_of(inputs, name).vllm is not None and field not in stage.trainer:
        yield _kept(inputs, name, field, "false")


def _kept(inputs: Inputs, name: str, field: str, own: str) -> Argument:
    value = inputs.stack.default(inputs.spec.stages[name].method, field)
    return defaulted(field, value, "TRL's default", comment=_said(own))


def _said(own: str) -> str:
    return f"TRL's default; Unsloth's is {own}"
