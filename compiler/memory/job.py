"""What a stage does on one GPU, as far as memory depends on it."""

from typing import Literal, NamedTuple

from compiler.memory.architecture import LINEARS

__all__ = ["OPTIMIZERS", "Adapter", "Head", "Job", "Weights"]

Weights = Literal["float32", "16-bit", "nf4", "nf4-double", "nf4-dynamic"]

# How the vocabulary projection and the loss are computed: TRL 1.16's fused head, the loss of a
# transformers model by its version, a fused kernel on logits that are there, chunks, or Liger.
Head = Literal[
    "fused-head",
    "transformers-5",
    "transformers-4.45",
    "transformers-4.44",
    "fused-cross-entropy",
    "chunked",
    "liger",
    "none",
]


# Bytes of state a trained parameter: for each of its own bytes, and in all; and what a step adds
# for each of its own. By transformers' names. torch keeps two states in the dtype of the parameter;
# without the fused kernel the step makes one more copy. bitsandbytes keeps 8 bits a state and one
# float32 for each block of 256 (paged: may move to the host, which is not counted on).
OPTIMIZERS = {
    "adamw_torch_fused": (2, 0, 0),
    "adamw_torch": (2, 0, 1),
    "paged_adamw_32bit": (0, 8, 0),
    "adamw_8bit": (0, 2 * (1 + 4 / 256), 0),
    "paged_adamw_8bit": (0, 2 * (1 + 4 / 256), 0),
    "sgd": (0, 0, 0),
}


class Adapter(NamedTuple):
    """A LoRA adapter; `bytes` of one parameter: 4 where PEFT keeps it in float32, as it does."""

    rank: int
    targets: frozenset[str] = frozenset(LINEARS)
    dropout: bool = False
    bytes: int = 4


class Job(NamedTuple):
    """One stage. A pair of preferences counts as two `sequences`.

    `scored` are the tokens of a sequence that the loss looks at. `accumulates`: gradients of
    earlier micro-batches are alive in a forward pass. `wide_residual`: PEFT's
    `prepare_model_for_kbit_training` has made embeddings and the residual stream float32.
    `reference`: a second copy of the weights; `scores_reference`: it, or the base without its
    adapter, runs while the graph of the policy is alive, as in DPO. `others`: bytes of other models
    on the GPU. `generated`: sequences that transformers decodes at once, prompts of `tokens` less
    `scored` and completions of `scored`. `engine`: bytes that vLLM reserves in the same process;
    one that sleeps gives them back while the stage trains. `offloads`: what a forward pass leaves
    for the backward pass waits in the memory of the host. `autocast`: computes in 16 bits whatever
    its weights are; else all of it is float32. `unsloth`: trained by its kernels. `gpus` train
    together; `shards` is ZeRO's level over them, 3 for FSDP. What is sharded is computed with in 16
    bits, and its float32 copies count with the optimizer's states. `gathers`: weights are put
    together to sample with them.
    """

    sequences: int
    tokens: int
    scored: int
    weights: Weights = "16-bit"
    adapter: Adapter | None = None
    optimizer: str = "adamw_torch_fused"
    head: Head = "fused-head"
    checkpointing: bool = True
    accumulates: bool = False
    wide_residual: bool = False
    reference: bool = False
    scores_reference: bool = False
    others: float = 0.0
    generated: int = 0
    engine: float = 0.0
    engine_sleeps: bool = False
    autocast: bool = True
    unsloth: bool = False
    offloads: bool = False
    shards: int = 0
    gathers: bool = False
    gpus: int = 1

    @property
    def batch_tokens(self) -> int:
        """Tokens in one forward pass, padding included."""
        return self.sequences * self.tokens

    @property
    def dtype(self) -> int:
        """Bytes of a weight that is not quantized."""
        return 4 if self.weights == "float32" else 2
