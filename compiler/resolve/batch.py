"""How one optimizer step is laid out on the machine; the recipe's sizes are never changed."""

from compiler.plan.stages import Batch

__all__ = ["solve_batch"]

# Sequences in one forward pass, by memory class. Without a memory estimate of the model these are
# cautious; accumulation makes up for the rest, so that the recipe is the same on every tier.
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


def solve_batch(sequences: int, tier: str) -> Batch:
    """The largest micro-batch within the tier's limit that divides the step evenly."""
    limit = min(SEQUENCES[tier], sequences)
    per_device = next(size for size in range(limit, 0, -1) if sequences % size == 0)
    return Batch(per_device, sequences // per_device)
