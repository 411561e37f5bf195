"""How many tokens a second a GPU trains on."""

import math
from typing import NamedTuple

from compiler.memory import Architecture
from compiler.throughput.speeds import Speed

__all__ = ["Interval", "Work", "around", "multiplied", "training_rate"]

# Published rates of models below 2 billion parameters end here, whatever the GPU: what launches
# the kernels is as slow as on any other (docs.surogate.ai: 21,300 with 0.6 billion on an H100).
SMALL = 2e9
SMALL_RATE = 20_000.0
# Loading in 4 bit costs a tenth: weights are unpacked in each pass (torchtune's README: a fifth;
# fms-acceleration: nothing).
QUANTIZED = 0.9


class Interval(NamedTuple):
    """What a figure is likely between: the upper end is twice the lower."""

    low: float
    high: float


class Work(NamedTuple):
    """What is done with each token of a sequence of so many.

    `trains_all`: gradients of all weights are computed, not those of an adapter alone.
    `checkpointing`: activations are computed once more. `forwards` are passes without gradients,
    for reference and old probabilities.
    """

    tokens: int
    trains_all: bool
    quantized: bool = False
    checkpointing: bool = True
    forwards: int = 0


def around(figure: float) -> Interval:
    """The interval of factor two about a figure, in proportion."""
    return Interval(figure / math.sqrt(2), figure * math.sqrt(2))


def multiplied(shape: Architecture) -> int:
    """The parameters that a token is multiplied with: no input embedding, no idle expert."""
    experts = 3 * shape.experts_per_token * shape.intermediate + shape.experts
    return shape.linear + shape.embedding + shape.layers * shape.hidden * experts


def training_rate(shape: Architecture, work: Work, speed: Speed, *, unsloth: bool = False) -> float:
    """Tokens a second on one GPU, padding included.

    A token costs two operations a parameter forward, two for the gradients of the activations, two
    more for those of the weights where these are trained, and two where it is computed once more
    (Kaplan et al., arXiv 2001.08361, section 2.1). Attention multiplies each token with half of
    the sequence, for a causal kernel passes over the rest.
    """
    passes = 1 + 1 + work.trains_all + work.checkpointing + work.forwards
    # Attention has no weights: its two gradients are those of activations.
    attending = 1 + 2 + work.checkpointing + work.forwards
    attention = 2 * shape.layers * shape.queries * work.tokens
    operations = 2 * multiplied(shape) * passes + attention * attending
    share = speed.unsloth if unsloth and speed.unsloth else speed.efficiency
    rate = share * (QUANTIZED if work.quantized else 1) * speed.operations / operations
    return min(rate, SMALL_RATE) if shape.parameters < SMALL else rate
