"""What was turned down for a stage to fit, a sentence each."""

from collections.abc import Iterator

from compiler.memory import GIB
from compiler.resolve.tuning import EIGHT_BIT, Tuned

__all__ = ["turned_down"]

SHARDED = {
    "zero2": "the GPUs share out gradients and the states of the optimizer (ZeRO-2)",
    "zero3": "the GPUs share out weights, gradients and the states of the optimizer (ZeRO-3)",
}


def turned_down(found: Tuned, *, shared: bool) -> Iterator[str]:
    """The knobs that moved, in the order in which they are turned.

    With `shared` the sharding is one of them: less of it would not have done for every stage.
    """
    usual, chosen = found.usual, found.mechanics
    needs = "" if found.needed is None else f"{found.needed.most / GIB:.1f} GiB"
    if usual.batch != chosen.batch:
        yield (
            f"the micro-batch is {chosen.batch.per_device} and not the tier's "
            f"{usual.batch.per_device}, which could take {needs}; accumulation is "
            f"{chosen.batch.accumulation} for it"
        )
    before, after = usual.rollout, chosen.rollout
    if before is not None and after is not None:
        if before.engine != after.engine:
            yield f"transformers samples and not vLLM, with which it could take {needs}"
        elif after.sleeps and not before.sleeps:
            yield f"vLLM sleeps while the stage trains: awake, it could take {needs}"
        if before.engine == after.engine and after.share < before.share:
            yield (
                f"vLLM's share is {after.share:g} and not {before.share:g}: it has room for fewer "
                "completions at once"
            )
    if shared:
        yield f"{SHARDED[chosen.sharding]}, without which not every stage would fit"
    if chosen.optimizer == EIGHT_BIT != usual.optimizer:
        yield f"the optimizer keeps its states in 8 bits (`{EIGHT_BIT}`), which needs bitsandbytes"
    if chosen.offloads_activations and not usual.offloads_activations:
        yield "activations wait in the memory of the host, which makes a step slower"
