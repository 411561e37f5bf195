"""How one optimizer step is laid out on the machine; the recipe's sizes are never changed."""

from collections.abc import Iterable

from compiler.memory import Estimate, device_of, estimate
from compiler.plan.mechanics import Batch
from compiler.resolve.inputs import Inputs
from compiler.resolve.jobs import job_of
from compiler.resolve.methods import METHODS
from compiler.resolve.starts import model_of
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["estimate_of", "is_undivided", "solve_batch", "steps_of_rollout", "usual_batch"]

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


def solve_batch(inputs: Inputs, name: str) -> Batch:
    """The largest micro-batch that divides the step evenly, is in the tier's limit, and fits.

    Where none fits for sure, the largest of those that need least. Without an estimate the limit
    alone decides.
    """
    device = device_of(inputs.spec.hardware.tier)
    least = usual_batch(inputs, name)
    peak = float("inf")
    for batch in _batches(inputs, name):
        found = estimate_of(inputs, name, batch)
        if device is None or found is None or found.fit(device) == "fits":
            return batch
        if found.peak < peak:
            least, peak = batch, found.peak
    return least


def usual_batch(inputs: Inputs, name: str) -> Batch:
    """The micro-batch of the tier's limit alone."""
    return next(iter(_batches(inputs, name)))


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


def estimate_of(
    inputs: Inputs, name: str, batch: Batch, *, shortest: bool = False
) -> Estimate | None:
    """The predicted peak of a stage; None on the CPU, and where a model's size is not known.

    For rows as long as they may be, or with `shortest` as short.
    """
    shape = inputs.architectures.get(model_of(inputs, name))
    job = job_of(inputs, name, batch, shortest=shortest)
    return None if shape is None or job is None else estimate(shape, job)


def _batches(inputs: Inputs, name: str) -> Iterable[Batch]:
    """All layouts of a step within the tier's limit, the largest micro-batch first."""
    stage = inputs.spec.stages[name]
    group = stage.num_generations if isinstance(stage, RolloutStage) else 1
    whole = stage.prompts_per_step * group
    if is_undivided(stage):
        yield Batch(whole, 1)
        return
    device = device_of(inputs.spec.hardware.tier)
    sequences = SEQUENCES["cpu" if device is None else device.memory_class]
    least = LEAST_ROWS.get(stage.method, 1)
    limit = min(max(sequences // METHODS[stage.method].sequences, least), whole)
    sizes = [size for size in range(limit, least - 1, -1) if whole % size == 0]
    for size in sizes or [whole]:
        yield Batch(size, whole // size)
