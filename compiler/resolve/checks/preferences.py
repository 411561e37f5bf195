"""The evaluation of stages that learn from preferences, on the held-out rows of their own data."""

from compiler.literals import literal, text_literal
from compiler.plan.evaluation import PreferencesFile
from compiler.plan.stages import StagePlan
from compiler.resolve.chat import tokenizer_code, tokenizer_import
from compiler.resolve.gpus import gpu_of, torch_device
from compiler.resolve.graded import revision
from compiler.resolve.inputs import Inputs
from compiler.resolve.own_data import compares_held_out
from compiler.resolve.precision import scoring_dtype

__all__ = ["compared_stages", "plan_preferences"]

# The function of preferences.py that scores a stage, by its method.
SCORES = {"reward": "by_reward_model", "dpo": "by_implicit_reward", "kto": "by_label"}
# Conversations in one pass, of which all logits are held.
AT_ONCE = 8
AT_ONCE_ON_A_GPU = 4


def compared_stages(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[StagePlan, ...]:
    """The stages that learn from preferences and hold rows of these out."""
    return tuple(stage for stage in stages if compares_held_out(inputs.spec, stage.name))


def plan_preferences(inputs: Inputs, stages: tuple[StagePlan, ...]) -> PreferencesFile | None:
    """The context of preferences.py, None where no stage has such rows."""
    compared = compared_stages(inputs, stages)
    if not compared:
        return None
    methods = {stage.method for stage in compared}
    policies = [stage for stage in compared if stage.method != "reward"]
    table = ", ".join(
        f"{text_literal(stage.name)}: (load_{stage.name}_eval, {SCORES[stage.method]})"
        for stage in compared
    )
    loaders = ", ".join(sorted(f"load_{stage.name}_eval" for stage in compared))
    starts = ", ".join(f"{text_literal(stage.name)}: {_start(stage)}" for stage in policies)
    return PreferencesFile(
        stages=f"{{{table}}}",
        data_import=f"from data import {loaders}",
        reward_models="reward" in methods,
        pairs="dpo" in methods,
        labels="kto" in methods,
        starts=f"{{{starts}}}" if policies else None,
        betas=literal({stage.name: stage.value("beta") for stage in policies}),
        from_base=any(stage.start is None for stage in policies),
        at_once=literal(AT_ONCE if gpu_of(inputs.spec.hardware) is None else AT_ONCE_ON_A_GPU),
        tokenizer=tokenizer_code(inputs.spec, "path", revision(inputs)),
        tokenizer_import=tokenizer_import(inputs.spec),
        dtype=literal(scoring_dtype(inputs)),
        device=literal(torch_device(inputs.spec.hardware)),
    )


def _start(stage: StagePlan) -> str:
    """The path of the model that a stage starts from, as an expression."""
    if stage.start is None:
        return "BASE"
    return f'str(OUTPUTS / {text_literal(stage.start)} / "model")'
