"""How much of the machine a stage uses at once: turned down, in a stated order, until it fits.

The order: a smaller micro-batch; vLLM that sleeps while the stage trains, then one with a smaller
share; then, where no sharding of the GPUs helps, an optimizer with states of 8 bit; activations
that wait on the host; and transformers in the place of a vLLM that nobody asked for.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from compiler.memory import Estimate
from compiler.plan.mechanics import Batch, Mechanics, RolloutMechanics, Sharding
from compiler.resolve.batch import layouts
from compiler.resolve.gpus import gpu_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.jobs import estimate_of
from compiler.resolve.precision import precision_of
from compiler.resolve.starts import model_of, uses_unsloth
from spec_schema.stages.rollout import RolloutStage

__all__ = ["EIGHT_BIT", "Tuned", "tuned"]

EIGHT_BIT = "paged_adamw_8bit"
# Of the memory that is needed in any case, what costs speed has to save so much.
WORTH = 0.98


class Tuned(NamedTuple):
    """The mechanics that were found, and the usual ones, which were tried first.

    The estimates are None where nothing can be predicted.
    """

    mechanics: Mechanics
    usual: Mechanics
    estimate: Estimate | None
    needed: Estimate | None
    fits: bool


def tuned(inputs: Inputs, name: str, sharding: Sharding, *, further: bool) -> Tuned:
    """The first of the mechanics that fits; `further` tries what costs speed for good as well.

    Where none fits for sure, the first of those that need least. Without an estimate the tier's
    limit alone decides.
    """
    device = gpu_of(inputs.spec.hardware)
    usual = needed = best = least = None
    for alike in _attempts(inputs, name, sharding, further=further):
        # The last of those that are alike has the smallest micro-batch, and needs least.
        smallest = None if device is None else estimate_of(inputs, name, alike[-1])
        if device is None or smallest is None:
            return Tuned(alike[0], alike[0], None, None, fits=True)
        if usual is None:
            usual, needed = alike[0], estimate_of(inputs, name, alike[0])
        if smallest.fit(device) == "fits":
            chosen, found = _first(inputs, name, alike, lambda each: each.fit(device) == "fits")
            return Tuned(chosen, usual, found, needed, fits=True)
        if least is None or smallest.peak < WORTH * least.peak:
            best, least = alike, smallest
    assert usual is not None  # noqa: S101 - each step has a layout
    assert best is not None and least is not None  # noqa: PT018, S101 - the same
    peak = least.peak
    chosen, found = _first(inputs, name, best, lambda each: each.peak <= peak)
    return Tuned(chosen, usual, found, needed, fits=False)


def _first(
    inputs: Inputs, name: str, alike: list[Mechanics], suits: Callable[[Estimate], bool]
) -> tuple[Mechanics, Estimate | None]:
    """The first with an estimate that suits; that of the last does."""
    for mechanics in alike[:-1]:
        found = estimate_of(inputs, name, mechanics)
        if found is not None and suits(found):
            return mechanics, found
    return alike[-1], estimate_of(inputs, name, alike[-1])


def _attempts(
    inputs: Inputs, name: str, sharding: Sharding, *, further: bool
) -> Iterator[list[Mechanics]]:
    """The mechanics in the order in which they are tried, those alike but for the micro-batch."""
    batches, device = list(layouts(inputs, name)), gpu_of(inputs.spec.hardware)
    usual = Mechanics(batches[0], precision_of(inputs, model_of(inputs, name)), sharding)
    unsloth = uses_unsloth(inputs.spec)
    if unsloth:  # whose scripts have these states, and whose checkpoints lie on the host
        usual = usual._replace(optimizer="adamw_8bit")
    samplers = _samplers(inputs, name, batches, sharding)
    for sampling in samplers if further else samplers[:1]:
        turned = [usual]
        if further and not unsloth:
            # bitsandbytes has no kernels for weights that are sharded.
            if sharding == "none" and device is not None and device.quantizes:
                turned.append(turned[-1]._replace(optimizer=EIGHT_BIT))
            if inputs.stack.field(inputs.spec.stages[name].method, "activation_offloading"):
                turned.append(turned[-1]._replace(offloads_activations=True))
        for each in turned:
            for alike in sampling:
                yield [each._replace(batch=batch, rollout=rollout) for batch, rollout in alike]


# A way to sample for each micro-batch, the largest first; and these as they are turned down.
_Ways = list[tuple[Batch, RolloutMechanics | None]]
_Sampling = list[_Ways]


def _samplers(
    inputs: Inputs, name: str, batches: list[Batch], sharding: Sharding
) -> list[_Sampling]:
    """For each engine that may sample, in the order of choice: its batches and how it samples."""
    if not isinstance(inputs.spec.stages[name], RolloutStage):
        return [[[(batch, None) for batch in batches]]]
    plain: _Sampling = [[(batch, RolloutMechanics("transformers")) for batch in batches]]
    asked = inputs.spec.hardware.rollout
    engine = "auto" if asked is None else asked.engine
    if inputs.spec.hardware.tier == "cpu" or engine == "transformers":
        return [plain]
    from compiler.resolve.engines import colocated, server

    if engine == "vllm-server":
        found = server(inputs, name)
        return [[[(batch, found) for batch in batches]]]
    if engine == "auto" and _speaks_against_vllm(inputs, name, sharding):
        return [plain]
    ways = [list(colocated(inputs, name, batch)) for batch in batches]
    beside: _Sampling = [
        [(batch, way[rung]) for batch, way in zip(batches, ways, strict=True) if rung < len(way)]
        for rung in range(max(map(len, ways)))
    ]
    if engine == "vllm-colocate":
        return [beside or plain]
    return [beside, plain] if beside else [plain]


def _speaks_against_vllm(inputs: Inputs, name: str, sharding: Sharding) -> bool:
    """Whether a rule does, or nothing tells how much memory it needs."""
    if uses_unsloth(inputs.spec):
        return True
    from compiler.resolve.incompatible import vllm_refusal

    known = model_of(inputs, name) in inputs.architectures
    return not known or vllm_refusal(inputs, name, sharding=sharding) is not None
