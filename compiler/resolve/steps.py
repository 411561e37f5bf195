"""How large an optimizer step is, as the recipe has it."""

from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["LEAST_ROWS", "is_undivided", "steps_of_rollout", "whole_step"]

# KTO estimates its KL term from other rows of the same batch (trl/trainer/kto_trainer.py:845).
LEAST_ROWS = {"kto": 2}
COMPARING_PAIRS = frozenset({"aot", "aot_unpaired"})


def whole_step(stage: Stage) -> int:
    """Rows, pairs or completions in one optimizer step, as the recipe has it."""
    group = stage.num_generations if isinstance(stage, RolloutStage) else 1
    return stage.prompts_per_step * group


def steps_of_rollout(stage: Stage) -> int:
    """The optimizer steps between two rollouts; 1 for a stage that samples nothing."""
    if not isinstance(stage, RolloutStage):
        return 1
    iterations = stage.trainer.get("num_iterations", 1)
    return stage.updates_per_rollout * (iterations if isinstance(iterations, int) else 1)


def is_undivided(stage: Stage) -> bool:
    """Whether the loss compares all pairs of a micro-batch: then that is the step on every tier.

    Alignment by optimal transport sorts them (dpo_trainer.py:1447).
    """
    if stage.method != "dpo":
        return False
    losses = [stage.loss_type] if isinstance(stage.loss_type, str) else stage.loss_type
    return not COMPARING_PAIRS.isdisjoint(losses)
