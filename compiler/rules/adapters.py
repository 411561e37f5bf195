"""Adapters that a trainer would refuse when it is built, after the model is loaded."""

from compiler.rules.case import Case
from spec_schema.model import LoraAdapter

__all__ = ["output_head_is_left_alone"]


def output_head_is_left_alone(case: Case) -> None:
    """No adapter on `lm_head`: TRL multiplies by its weight, and would never train the adapter.

    sft_trainer.py:1069, dpo_trainer.py:838, grpo_trainer.py:839 and their like; a reward model has
    another head.
    """
    adapter = case.spec.model.adapter
    modules = adapter.target_modules if isinstance(adapter, LoraAdapter) else []
    if all(stage.method == "reward" for stage in case.spec.stages.values()):
        return
    for module in modules if isinstance(modules, list) else []:
        if module.rpartition(".")[2] == "lm_head":
            case.error(
                "bad-value",
                ("model", "adapter", "target_modules"),
                f"`{module}` is the output head, whose adapter would not be trained",
                'leave it out, or write `target_modules = "all-linear"`, which does',
            )
            return
