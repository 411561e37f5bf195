"""The dimensions of a decoder, and how many parameters follow from them."""

from typing import NamedTuple

from compiler.memory.unusual import Blocks

__all__ = ["LINEARS", "Architecture"]

# The linear layers of a decoder block, which LoRA can be put beside.
LINEARS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class Architecture(NamedTuple):
    """What `config.json` tells of a decoder.

    `intermediate` is the width of the MLP, of one expert where there are `experts`; `shared` that
    of the experts which every token passes. `norms` are the RMSNorms of a block. `assumed` says
    where the numbers come from if not from the model itself, and is empty otherwise; `counted`
    is the number of parameters that a name gives, 0 where the dimensions do. `kind` is the
    `model_type`, empty where it is not known, and `blocks` what they hold where they are not
    attention and a gated MLP each. `found` says where the dimensions were read, if on this machine.
    """

    name: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    intermediate: int
    vocabulary: int
    tied: bool
    experts: int = 0
    experts_per_token: int = 0
    shared: int = 0
    norms: int = 2
    query_norm: bool = False
    qkv_bias: bool = False
    assumed: str = ""
    counted: int = 0
    kind: str = ""
    blocks: Blocks | None = None
    found: str = ""

    @property
    def queries(self) -> int:
        """The width of all query heads."""
        return self.heads * self.head_size

    @property
    def keys(self) -> int:
        """The width of all key heads, which is that of all value heads."""
        return self.kv_heads * self.head_size

    @property
    def active(self) -> int:
        """The width of the MLP that one token passes."""
        if not self.experts:
            return self.intermediate
        return self.experts_per_token * self.intermediate + self.shared

    @property
    def caching(self) -> int:
        """How many blocks keep the keys and values of a generation."""
        return self.layers if self.blocks is None else self.blocks.caching

    @property
    def saves(self) -> float:
        """What a block saves for the backward pass, in parts of one of attention."""
        return 1.0 if self.blocks is None else self.blocks.saves

    @property
    def fused(self) -> int:
        """Parameters of all experts and their routers.

        transformers 5 keeps them in tensors of their own, which 4-bit loading passes over
        (transformers/integrations/bitsandbytes.py, `replace_with_bnb_linear`).
        """
        return self.layers * self.experts * self.hidden * (3 * self.intermediate + 1)

    @property
    def layer(self) -> int:
        """Parameters of one block, norms and biases apart."""
        return (self.linear + self.fused) // self.layers

    @property
    def linear(self) -> int:
        """Parameters of the linear layers of all blocks, which 4-bit loading quantizes."""
        if self.counted:
            return self.counted - self.other
        if self.blocks is not None:
            return self.blocks.linear
        wide = self.shared if self.experts else self.intermediate
        return self.layers * self.hidden * (2 * (self.queries + self.keys) + 3 * wide)

    @property
    def embedding(self) -> int:
        """Parameters of the embedding, which is also the number in the output head."""
        return self.vocabulary * self.hidden

    @property
    def other(self) -> int:
        """Parameters outside the linear layers: embeddings, output head, experts, norms, biases."""
        heads = self.embedding * (1 if self.tied else 2)
        if self.blocks is not None:
            return heads + self.fused + self.blocks.other
        norms = self.norms * self.hidden + (2 * self.head_size if self.query_norm else 0)
        biases = self.queries + 2 * self.keys if self.qkv_bias else 0
        return heads + self.fused + self.layers * (norms + biases) + self.hidden

    @property
    def parameters(self) -> int:
        """All parameters; exact for the families in `models.json`."""
        return self.linear + self.other

    @property
    def widest(self) -> int:
        """Parameters of the largest single linear layer of a block."""
        return self.hidden * max(self.intermediate, self.queries)

    def adapter(self, rank: int, targets: frozenset[str]) -> int:
        """Parameters of a LoRA adapter: `rank * (in + out)` for each target of each block.

        PEFT's `all-linear` passes over fused experts, as 4-bit loading does.
        """
        hidden, wide = self.hidden, self.intermediate
        sizes = {
            "q_proj": hidden + self.queries,
            "k_proj": hidden + self.keys,
            "v_proj": hidden + self.keys,
            "o_proj": self.queries + hidden,
        }
        if not self.experts:
            sizes |= dict.fromkeys(("gate_proj", "up_proj", "down_proj"), hidden + wide)
        found = sum(size for name, size in sizes.items() if name in targets)
        return rank * self.layers * found
