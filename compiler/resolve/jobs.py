"""A stage as the memory plan sees it."""

from compiler.memory import (
    LINEARS,
    Adapter,
    Estimate,
    Job,
    Weights,
    device_of,
    estimate,
    with_unsloth,
)
from compiler.plan.mechanics import Mechanics
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

# ZeRO's levels; what FSDP2 shares out is as much as the third.
LEVELS = {"none": 0, "zero2": 2, "zero3": 3, "fsdp2": 3}


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
    no 16 bits all is float32. What is sharded is computed with in the tier's precision. Activations
    are recomputed.
    Rows are counted as long as the spec lets them be, for a batch of the longest decides; with
    `shortest`, rows and prompts as short as can be, and completions that run to their limit, as
    some of a policy do that does not know yet where to end.
    """
    stage, batch = inputs.spec.stages[name], mechanics.batch
    usual = _usual(inputs, name, mechanics)
    if uses_unsloth(inputs.spec):
        usual = with_unsloth(usual, from_hub=starts_from_hub(inputs, name))
    if not isinstance(stage, RolloutStage):
        return _imitating(usual, stage, tokens=1 if shortest else stage.max_length)
    others = _others(inputs, stage)
    prompt = 1 if shortest else inputs.spec.data.max_prompt_tokens
    completion = stage.max_completion_length
    if others is None:
        return None
    job = usual._replace(
        tokens=prompt + completion,
        scored=completion,
        # With an adapter, the base without it is the reference.
        reference=stage.beta > 0 and usual.adapter is None,
        others=others,
        # TRL samples all completions of a rollout at once, by `steps_per_generation`.
        generated=batch.per_device * batch.accumulation * stage.updates_per_rollout,
    )
    return _engine(job, inputs, mechanics)


def _usual(inputs: Inputs, name: str, mechanics: Mechanics) -> Job:
    """A stage of any method, but for its rows."""
    chosen, batch = adapter_of(inputs.spec, name), mechanics.batch
    return Job(
        *(batch.per_device * METHODS[inputs.spec.stages[name].method].sequences, 0, 0),
        weights=_weights(chosen, mechanics),
        adapter=None if chosen is None else _adapter(chosen, mechanics),
        optimizer=mechanics.optimizer,
        accumulates=batch.accumulation > 1,
        wide_residual=is_quantized(chosen) and mechanics.precision == "float32",
        autocast=mechanics.precision != "float32",
        offloads=mechanics.offloads_activations,
        shards=LEVELS[mechanics.sharding],
        gathers=mechanics.sharding == "zero3",
        gpus=batch.processes,
    )


def _weights(adapter: LowRank | None, mechanics: Mechanics) -> Weights:
    """What the weights are held in; DeepSpeed and FSDP2 compute with copies in 16 bits."""
    if is_quantized(adapter):
        return "nf4-double"
    whole = adapter is None and mechanics.sharding == "none"
    return "float32" if whole or mechanics.precision == "float32" else "16-bit"


def _engine(job: Job, inputs: Inputs, mechanics: Mechanics) -> Job:
    """What samples: transformers has its cache, vLLM its share, and one on other GPUs nothing."""
    rollout, device = mechanics.rollout, device_of(inputs.spec.hardware.tier)
    if rollout is None or rollout.engine == "transformers" or device is None:
        return job
    if rollout.engine == "vllm-server":
        return job._replace(generated=0)
    return job._replace(
        generated=0, engine=rollout.share * device.bytes, engine_sleeps=rollout.sleeps
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


def _adapter(adapter: LowRank, mechanics: Mechanics) -> Adapter:
    named, precision = adapter.target_modules, mechanics.precision
    sharded = mechanics.sharding != "none" and precision != "float32"
    in_half = sharded or (is_quantized(adapter) and precision == "bfloat16")
    # A module may be named by the end of its path, and others than these are rare.
    found = LINEARS if isinstance(named, str) else [each.rpartition(".")[2] for each in named]
    return Adapter(
        adapter.r,
        frozenset(found),
        dropout=adapter.dropout > 0,
        bytes=2 if in_half else 4,
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
