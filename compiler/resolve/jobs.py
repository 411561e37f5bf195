"""A stage as the memory plan sees it."""

from compiler.memory import LINEARS, Adapter, Estimate, Job, estimate, with_unsloth
from compiler.plan.mechanics import Mechanics, Precision
from compiler.resolve.inputs import Inputs, reward_models
from compiler.resolve.methods import METHODS
from compiler.resolve.precision import precision_of
from compiler.resolve.starts import (
    adapter_of,
    is_quantized,
    model_of,
    starts_from_hub,
    uses_unsloth,
)
from spec_schema.model import LowRank
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["estimate_of", "job_of"]


def estimate_of(
    inputs: Inputs, name: str, mechanics: Mechanics, *, shortest: bool = False
) -> Estimate | None:
    """The predicted peak of a stage; None on the CPU, and where a model's size is not known.

    For rows as long as they may be, or with `shortest` as short.
    """
    shape = inputs.architectures.get(model_of(inputs, name))
    job = job_of(inputs, name, mechanics, shortest=shortest)
    return None if shape is None or job is None else estimate(shape, job)


def job_of(
    inputs: Inputs, name: str, mechanics: Mechanics, *, shortest: bool = False
) -> Job | None:
    """What a training script of this version does; None where a reward's model is not known.

    A GPU trains in 16 bits: with an adapter in float32 on a base in 16 bits, or in bfloat16 on one
    of 4 bit (trl/trainer/sft_trainer.py:908), which the scripts take back where that is not the
    tier's precision; without an adapter with weights in float32 under autocast. Where the tier has
    no 16 bits all is float32. AdamW is that of torch, fused. Activations are recomputed.
    Rows are counted as long as the spec lets them be, for a batch of the longest decides; with
    `shortest`, rows and prompts as short as can be, and completions that run to their limit, as
    some of a policy do that does not know yet where to end.
    """
    stage = inputs.spec.stages[name]
    usual, batch = _usual(inputs, name, mechanics), mechanics.batch
    if uses_unsloth(inputs.spec):
        usual = with_unsloth(usual, from_hub=starts_from_hub(inputs, name))
    if not isinstance(stage, RolloutStage):
        return _imitating(usual, stage, tokens=1 if shortest else stage.max_length)
    others = _others(inputs, stage)
    prompt = 1 if shortest else inputs.spec.data.max_prompt_tokens
    completion = stage.max_completion_length
    if others is None:
        return None
    return usual._replace(
        tokens=prompt + completion,
        scored=completion,
        # With an adapter, the base without it is the reference.
        reference=stage.beta > 0 and usual.adapter is None,
        others=others,
        # TRL samples all completions of a rollout at once, by `steps_per_generation`.
        generated=batch.per_device * batch.accumulation * stage.updates_per_rollout,
    )


def _usual(inputs: Inputs, name: str, mechanics: Mechanics) -> Job:
    """What every method has: weights, adapter, optimizer and the layout of a step."""
    chosen = adapter_of(inputs.spec, name)
    precision, batch = mechanics.precision, mechanics.batch
    adapter = None if chosen is None else _adapter(chosen, precision)
    in_half = adapter is not None and precision != "float32"
    return Job(
        *(batch.per_device * METHODS[inputs.spec.stages[name].method].sequences, 0, 0),
        weights="nf4-double" if is_quantized(chosen) else "16-bit" if in_half else "float32",
        adapter=adapter,
        optimizer=mechanics.optimizer,
        accumulates=batch.accumulation > 1,
        wide_residual=is_quantized(chosen) and not in_half,
        autocast=precision != "float32",
        gpus=batch.processes,
    )


def _imitating(job: Job, stage: Stage, *, tokens: int) -> Job:
    """A stage whose rows are written already."""
    match stage.method:
        case "sft":
            # TRL 1.16 computes full logits for smoothed labels, sft_trainer.py:1061.
            smoothed = stage.trainer.get("label_smoothing_factor")
            return job._replace(
                tokens=tokens, scored=tokens, head="transformers-5" if smoothed else "fused-head"
            )
        case "reward":
            return job._replace(tokens=tokens, scored=tokens, head="none")
        case _:
            # With an adapter, the base without it is the reference.
            return job._replace(
                tokens=tokens, scored=tokens, reference=job.adapter is None, scores_reference=True
            )


def _adapter(adapter: LowRank, precision: Precision) -> Adapter:
    named = adapter.target_modules
    # A module may be named by the end of its path, and others than these are rare.
    found = LINEARS if isinstance(named, str) else [each.rpartition(".")[2] for each in named]
    return Adapter(
        adapter.r,
        frozenset(found),
        dropout=adapter.dropout > 0,
        bytes=2 if is_quantized(adapter) and precision == "bfloat16" else 4,
    )


def _others(inputs: Inputs, stage: RolloutStage) -> float | None:
    """Bytes of the reward models that the stage loads; None where one is unknown."""
    total = 0.0
    for name, model in reward_models(inputs.spec).items():
        if stage.rewards is None or name in stage.rewards:
            root = model_of(inputs, model) if model in inputs.spec.stages else model
            if root not in inputs.architectures:
                return None
            size = 4 if precision_of(inputs, root) == "float32" else 2
            total += size * inputs.architectures[root].parameters
    return total
