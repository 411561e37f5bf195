"""Readings of Unsloth: its table of the longest contexts, and what its notebooks hold once loaded.

Documentation: https://unsloth.ai/docs/basics/unsloth-benchmarks. Notebooks: unslothai/notebooks,
the reserved memory that they print before training. What they print after it says nothing here,
for their rows are short and the lengths are not stated.
"""

from typing import NamedTuple

from compiler.memory import Adapter, Architecture, Job, with_unsloth
from tests.memory.published import LLAMA3, LLAMA32, QWEN25, Row, known

__all__ = ["CONTEXTS", "LOADED", "Loaded"]


def qlora(tokens: int, rank: int, *, dynamic: bool = False) -> Job:
    """Supervised training of one row in 4 bit, with the optimizer of Unsloth's notebooks."""
    job = Job(1, tokens, tokens, weights="nf4-double", adapter=Adapter(rank))
    return with_unsloth(job._replace(optimizer="adamw_8bit"), from_hub=dynamic)


class Loaded(NamedTuple):
    """A model with its adapter in 4 bit: reserved GiB, and the share that a prediction may be off.

    `dynamic`: a repository that leaves some layers in 16 bits.
    """

    model: Architecture
    rank: int
    measured: float
    dynamic: bool = False
    tolerance: float = 0.08

    @property
    def job(self) -> Job:
        return qlora(1, self.rank, dynamic=self.dynamic)


CONTEXTS = tuple(
    Row(
        f"Unsloth documentation: {model.name}, QLoRA with its kernels, {tokens} tokens fill {card}",
        model,
        qlora(tokens, 32),
        "card",
        card * 0.985,
        0.03,
    )
    for model, contexts in (
        (
            LLAMA3,
            (
                *((8, 2972), (12, 21848), (16, 40724), (24, 78475)),
                *((40, 153977), (48, 191728), (80, 342733)),
            ),
        ),
        (known("llama-3.3-70b"), ((48, 12106), (80, 89389))),
    )
    for card, tokens in contexts
)

LOADED = (
    Loaded(LLAMA3, 16, 5.98),
    Loaded(LLAMA32, 16, 2.64, tolerance=0.12),  # half a GiB that does not grow with the model
    Loaded(QWEN25, 16, 5.76),
    Loaded(known("qwen2.5-14b"), 16, 10.29),
    Loaded(known("qwen3-32b"), 32, 19.12),
    Loaded(known("mistral-7b-v0.3"), 16, 4.52),
    Loaded(known("mistral-nemo"), 16, 8.59),
    Loaded(known("llama-3.3-70b"), 16, 39.22),
    Loaded(known("qwen3-14b"), 32, 11.90, dynamic=True),
    Loaded(known("phi-4"), 16, 10.04, dynamic=True),
    Loaded(known("gemma-3-27b"), 8, 19.07, dynamic=True),
)
