"""The context of monitor.py: which alarms each stage has, and the ranges of what it pays."""

import math

from compiler.literals import text_literal
from compiler.plan.stages import MethodName, StagePlan
from compiler.plan.watching import MonitorFile
from compiler.resolve.inputs import Inputs
from compiler.resolve.mixes import function_of

__all__ = ["plan_monitor"]

EVERYWHERE = ("broken_number", "gradient_spike")
SAMPLING = (
    *("no_spread", "cut_off", "stuck_reward", "unjudged_reward"),
    *("entropy_collapse", "length_drift"),
)
OF_METHOD: dict[MethodName, tuple[str, ...]] = {
    "sft": ("memorised",),
    "reward": ("coin_flip",),
    "dpo": ("unmoved_pairs", "chosen_falls", "saturated_pairs"),
    "kto": ("one_class", "zero_kl", "chosen_falls"),
    "grpo": SAMPLING,
    "rloo": SAMPLING,
}
# Where the loss makes up for a sampler that is not the policy, TRL logs how far apart they are.
CORRECTION_MODE = "vllm_importance_sampling_mode"
# Their loss on held-out rows says how well these are learnt.
LEARNING = ("sft", "reward", "dpo", "kto")


def plan_monitor(
    inputs: Inputs, stages: tuple[StagePlan, ...]
) -> tuple[MonitorFile, tuple[str, ...]]:
    """The context of monitor.py, and the pieces of alarms.py."""
    alarms = {stage.name: _alarms(stage) for stage in stages}
    names = tuple(dict.fromkeys(name for each in alarms.values() for name in each))
    imported = ", ".join(sorted(("Run", *names)))
    context = MonitorFile(
        alarms_import=f"from alarms import {imported}",
        stages=tuple(
            f"{text_literal(stage)}: ({', '.join(names)},)" for stage, names in alarms.items()
        ),
        ranges=tuple(_ranges(inputs, stage) for stage in stages if stage.mix is not None),
    )
    return context, ("windows", *names)


def _alarms(stage: StagePlan) -> tuple[str, ...]:
    """The alarms of a stage: those that its log has the metrics of."""
    names = [*EVERYWHERE, *OF_METHOD[stage.method]]
    if stage.group is not None and stage.value("beta"):
        names.append("far_from_start")
    if stage.mechanics.vllm is not None and stage.value(CORRECTION_MODE):
        names.append("other_sampler")
    if stage.eval_rows_code is not None and stage.method in LEARNING:
        names.append("overfit")
    if stage.method == "kto" and stage.value("loss_type") == "apo_zero_unpaired":
        names.remove("zero_kl")  # this loss has no reference point
    return tuple(names)


def _ranges(inputs: Inputs, stage: StagePlan) -> str:
    """An entry of RANGES: the rewards that are paid at some step of a stage."""
    weights = stage.mix.weights if stage.mix is not None else ()
    entries = "".join(
        f"{text_literal(function_of(inputs.spec, stage.name, name))}: "
        f"({', '.join(map(_number, inputs.spec.rewards[name].bounds()))}), "
        for name, weight in weights
        if weight.highest > 0
    )
    return f"{text_literal(stage.name)}: {{{entries}}}"


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'
