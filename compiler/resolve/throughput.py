"""How long each stage takes, and what it costs at the price that the spec gives."""

import math
from typing import NamedTuple

from compiler.memory import Architecture, device_of
from compiler.plan.mechanics import RolloutMechanics
from compiler.plan.stages import StagePlan
from compiler.resolve.arithmetic import longest_step, steps_in_all, updates_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from compiler.resolve.starts import adapter_of, is_quantized, model_of
from compiler.throughput import (
    SPEEDS,
    Interval,
    Rollout,
    Speed,
    Work,
    around,
    sampling_seconds,
    training_rate,
)
from spec_schema.stages.rollout import RolloutStage

__all__ = ["HOUR", "StageTime", "time_of", "unmeasured"]

HOUR = 3600.0
# A mixture of so many trains as fast as its active parameters say (Mixtral-8x7B in
# fms-acceleration); one of 128 took six times as long (Qwen3-30B-A3B in NeMo RL 0.4).
MOST_EXPERTS = 8
# KTO scores its rows under the reference, and rows paired anew under both models
# (trl/trainer/kto_trainer.py, `_compute_kl_logps`).
KTO_FORWARDS = 3


class StageTime(NamedTuple):
    """Tokens a second of all GPUs, and seconds; `hours` is None where the steps are not known.

    For rows as long as they may be: shorter ones take less.
    """

    rate: Interval
    seconds: Interval
    hours: Interval | None


def time_of(inputs: Inputs, stage: StagePlan) -> StageTime | None:
    """How long a stage takes; None where nothing tells how fast its GPU trains its model."""
    speed = SPEEDS.get(inputs.spec.hardware.tier)
    shape = inputs.architectures.get(model_of(inputs, stage.name))
    if speed is None or shape is None or unmeasured(shape) is not None:
        return None
    tokens = longest_step(inputs, stage)
    rate = training_rate(
        shape, _work(inputs, stage), speed, unsloth=inputs.spec.hardware.backend == "unsloth"
    )
    seconds = tokens / (rate * stage.batch.processes) + _sampling(inputs, stage, shape, speed)
    steps = steps_in_all(inputs, stage)
    return StageTime(
        rate=around(tokens / seconds),
        seconds=around(seconds),
        hours=None if steps is None else around(steps * seconds / HOUR),
    )


def unmeasured(shape: Architecture) -> str | None:
    """What no published run of the kind that is planned says; None where there are some."""
    if shape.experts > MOST_EXPERTS:
        return f"how fast {shape.experts} experts train"
    return None if shape.blocks is None else f"how fast the blocks of `{shape.kind}` train"


def _work(inputs: Inputs, stage: StagePlan) -> Work:
    batch = stage.batch
    sequences = batch.size * (1 if stage.group else METHODS[stage.method].sequences)
    adapter = adapter_of(inputs.spec, stage.name)
    return Work(
        tokens=longest_step(inputs, stage) // sequences,
        trains_all=adapter is None,
        quantized=is_quantized(adapter),
        forwards=_forwards(inputs, stage),
    )


def _forwards(inputs: Inputs, stage: StagePlan) -> int:
    """The passes over each token that compute no gradient."""
    if stage.method == "kto":
        return KTO_FORWARDS
    written = inputs.spec.stages[stage.name]
    if not isinstance(written, RolloutStage):
        return int(METHODS[stage.method].compares)
    # Off-policy, and against what vLLM says, the old probabilities are computed too
    # (trl/trainer/grpo_trainer.py, `_generate_and_score_completions`).
    rollout = stage.mechanics.rollout
    with_vllm = rollout is not None and rollout.engine != "transformers"
    return int(written.beta > 0) + int(updates_of(stage) != (1, 1) or with_vllm)


def _sampling(inputs: Inputs, stage: StagePlan, shape: Architecture, speed: Speed) -> float:
    """Seconds of a step's share of a rollout."""
    written, mechanics = inputs.spec.stages[stage.name], stage.mechanics.rollout
    if not isinstance(written, RolloutStage) or mechanics is None:
        return 0.0
    updates, iterations = updates_of(stage)
    sequences = stage.batch.size * updates / _copies(stage, mechanics)
    adapter = adapter_of(inputs.spec, stage.name)
    rollout = Rollout(
        sequences=sequences,
        prompt=inputs.spec.data.max_prompt_tokens,
        completion=written.max_completion_length,
        vllm=mechanics.engine != "transformers",
        weights="nf4-double" if is_quantized(adapter) else "16-bit" if adapter else "float32",
        gpus=max(mechanics.tensor_parallel, 1),
        cache=_cache(inputs, shape, mechanics),
    )
    return sampling_seconds(shape, rollout, speed) / (updates * iterations)


def _copies(stage: StagePlan, mechanics: RolloutMechanics) -> float:
    """How many copies of the model sample side by side."""
    gpus = mechanics.gpus if mechanics.engine == "vllm-server" else stage.batch.processes
    return gpus / max(mechanics.tensor_parallel, 1)


def _cache(inputs: Inputs, shape: Architecture, mechanics: RolloutMechanics) -> float:
    """Bytes that vLLM has for keys and values on the GPUs of one copy."""
    device = device_of(inputs.spec.hardware.tier)
    if device is None or mechanics.engine == "transformers":
        return math.inf
    taken = mechanics.share * device.bytes * max(mechanics.tensor_parallel, 1)
    return taken - 2 * shape.parameters
