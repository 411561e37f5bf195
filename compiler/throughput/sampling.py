"""How long a GPU samples completions."""

import math
from typing import NamedTuple

from compiler.memory import Architecture, Weights
from compiler.throughput.speeds import Speed
from compiler.throughput.training import multiplied

__all__ = ["Rollout", "sampling_seconds"]

# A stream of 8 billion parameters reads 77 % of an A100's bandwidth
# (https://johnmusgrave.com/p/vllm-throughput-latency-sweep-on).
READ = 0.75
COMPUTED = 0.5  # share of the operations once those are what limits
# transformers' generate launches its kernels from Python: 30 ms a token, and 1 ms a layer.
LEAST_STEP, LAYER_STEP = 0.03, 0.001
# Bytes that move for each weight and token. Weights in float32 are read as such; bitsandbytes
# unpacks all of 4 bit: half a byte is read, two are written, two are read again.
MOVED: dict[Weights, float] = {"16-bit": 2, "float32": 4, "nf4": 4.5, "nf4-double": 4.5}
# Of the policy's weights to vLLM, bytes a second: between a copy over the host and one on the GPU.
SYNCED = 25e9


class Rollout(NamedTuple):
    """Completions that one copy of the model samples at once, each as long as it may be.

    `vllm`: it is vLLM that samples, in 16 bit. `gpus` hold the copy together. `cache` are the bytes
    that vLLM has for keys and values; where it cannot hold all sequences, some wait.
    """

    sequences: float
    prompt: int
    completion: int
    vllm: bool = False
    weights: Weights = "16-bit"
    gpus: int = 1
    cache: float = math.inf


def sampling_seconds(shape: Architecture, rollout: Rollout, speed: Speed) -> float:
    """Seconds from the prompts to the last token, and the policy's weights to vLLM before.

    A token of each sequence takes as long as the weights and the keys and values are read, or as
    the operations take where these are more.
    """
    weights = multiplied(shape) * MOVED["16-bit" if rollout.vllm else rollout.weights]
    key_bytes = 2 * shape.layers * shape.keys * 2
    longest = (rollout.prompt + rollout.completion) * key_bytes
    at_once = min(rollout.sequences, max(rollout.cache / longest, 1))
    held = at_once * (rollout.prompt + rollout.completion / 2) * key_bytes
    reading = (weights + held) / (READ * speed.bandwidth * rollout.gpus)
    operations = 2 * multiplied(shape) * at_once
    step = max(reading, operations / (COMPUTED * speed.operations * rollout.gpus))
    if not rollout.vllm:
        return rollout.completion * max(step, LEAST_STEP, LAYER_STEP * shape.layers)
    waves = rollout.sequences / at_once
    return rollout.completion * step * waves + 2 * shape.parameters / SYNCED
