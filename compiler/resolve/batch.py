"""How one optimizer step is laid out on the machine; the recipe's sizes are never changed."""

from collections.abc import Iterator

from compiler.plan.mechanics import Batch
from compiler.resolve.gpus import gpu_of, training_gpus
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["LEAST_ROWS", "is_undivided", "layouts", "steps_of_rollout", "whole_step"]

# Sequences in one forward pass, by memory class; a pair is two. Accumulation makes up for the
# rest, so that the recipe is the same on every tier.
SEQUENCES = {
    "cpu": 64,
    "8gb": 1,
    "12gb": 1,
    "16gb": 2,
    "24gb": 4,
    "32gb": 4,
    "40gb": 8,
    "48gb": 8,
    "80gb": 16,
    "96gb": 16,
    "141gb": 32,
    "192gb": 32,
}
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


def layouts(inputs: Inputs, name: str) -> Iterator[Batch]:
    """All layouts of a step within the tier's limit, the largest micro-batch first.

    A step that the GPUs cannot share evenly is rounded up; `uneven` is what refuses it.
    """
    stage = inputs.spec.stages[name]
    processes = training_gpus(inputs.spec.hardware)
    own = -(-whole_step(stage) // processes)
    if is_undivided(stage):
        yield Batch(own, 1, processes)
        return
    device = gpu_of(inputs.spec.hardware)
    sequences = SEQUENCES["cpu" if device is None else device.memory_class]
    least = LEAST_ROWS.get(stage.method, 1)
    limit = min(max(sequences // METHODS[stage.method].sequences, least), own)
    sizes = [size for size in range(limit, least - 1, -1) if own % size == 0]
    for size in sizes or [own]:
        yield Batch(size, own // size, processes)
