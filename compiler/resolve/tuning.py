"""How much of the machine a stage uses at once: turned down, in a stated order, until it fits."""

from collections.abc import Iterator

from compiler.memory import GIB
from compiler.plan.mechanics import Mechanics, RolloutMechanics
from compiler.resolve.batch import layouts
from compiler.resolve.gpus import gpu_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.jobs import estimate_of
from compiler.resolve.precision import precision_of
from compiler.resolve.starts import model_of, uses_unsloth
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["tuned_mechanics"]


def tuned_mechanics(inputs: Inputs, name: str) -> Mechanics:
    """The first of the mechanics that fits.

    Where none fits for sure, the first of those that need least. Without an estimate the tier's
    limit alone decides.
    """
    device = gpu_of(inputs.spec.hardware)
    usual = best = None
    usual_needs = least = float("inf")
    for mechanics in _attempts(inputs, name):
        found = None if device is None else estimate_of(inputs, name, mechanics)
        if device is None or found is None:
            return mechanics
        if usual is None:
            usual, usual_needs = mechanics, found.most
        if best is None or found.peak < least:
            best, least = mechanics, found.peak
        if found.fit(device) == "fits":
            best = mechanics
            break
    assert usual is not None  # noqa: S101 - there is a layout of every step
    assert best is not None  # noqa: S101 - the same
    return best._replace(tuned=_said(usual, best, usual_needs))


def _attempts(inputs: Inputs, name: str) -> Iterator[Mechanics]:
    precision = precision_of(inputs, model_of(inputs, name))
    rollout = _rollout(inputs, inputs.spec.stages[name])
    optimizer = "adamw_8bit" if uses_unsloth(inputs.spec) else "adamw_torch_fused"
    for batch in layouts(inputs, name):
        yield Mechanics(batch, precision, optimizer=optimizer, rollout=rollout)


def _rollout(inputs: Inputs, stage: Stage) -> RolloutMechanics | None:
    """What samples: the engine that is asked for, else transformers."""
    if not isinstance(stage, RolloutStage):
        return None
    asked = inputs.spec.hardware.rollout
    if asked is None or asked.engine in ("auto", "transformers"):
        return RolloutMechanics("transformers")
    served = asked.gpus or asked.tensor_parallel or 1
    own = asked.engine == "vllm-server"
    longest = inputs.spec.data.max_prompt_tokens + stage.max_completion_length
    return RolloutMechanics(
        "vllm-server" if own else "vllm-colocate",
        share=asked.share or (0.9 if own else 0.3),
        sleeps=not own,
        max_model_tokens=asked.max_model_tokens or longest,
        tensor_parallel=served if own else asked.tensor_parallel or 1,
        gpus=served if own else 0,
    )


def _said(usual: Mechanics, chosen: Mechanics, needs: float) -> tuple[str, ...]:
    """What was turned down, a sentence each; `needs` is what the usual could take, in bytes."""
    if usual.batch == chosen.batch:
        return ()
    said = (
        f"the micro-batch is {chosen.batch.per_device} and not the tier's "
        f"{usual.batch.per_device}, which could take {needs / GIB:.1f} GiB; accumulation is "
        f"{chosen.batch.accumulation} for it"
    )
    return (said,)
