"""The dimensions of a decoder, and how many parameters follow from them."""

from typing import NamedTuple

__all__ = ["LINEARS", "Architecture"]

# The linear layers of a decoder block, which LoRA can be put beside.
LINEARS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


class Architecture(NamedTuple):
    """What `config.json` tells of a decoder.

    `intermediate` is the width of the MLP, of one expert where there are `experts`; `shared` that
    of the experts which every token passes. `norms` are the RMSNorms of a block. `assumed` says
    where the numbers come from if not from the model itself, and is empty otherwise; `counted`
    is the number of parameters that a name gives, 0 where the dimensions do. `kind` is the
    `model_type`, empty where it is not known.
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
    def layer_linear(self) -> int:
        """Parameters of the linear layers of one block, all experts and their router included."""
        attention = 2 * self.hidden * (self.queries + self.keys)
        if not self.experts:
            return attention + 3 * self.hidden * self.intermediate
        experts = 3 * self.hidden * (self.experts * self.intermediate + self.shared)
        return attention + experts + self.hidden * self.experts

    @property
    def linear(self) -> int:
        """Parameters of the linear layers of all blocks, which 4-bit loading quantizes."""
        return self.counted - self.other if self.counted else self.layers * self.layer_linear

    @property
    def embedding(self) -> int:
        """Parameters of the embedding, which is also the number in the output head."""
        return self.vocabulary * self.hidden

    @property
    def other(self) -> int:
        """Parameters outside the linear layers: embeddings, output head, norms and biases."""
        norms = self.norms * self.hidden + (2 * self.head_size if self.query_norm else 0)
        biases = self.queries + 2 * self.keys if self.qkv_bias else 0
        heads = self.embedding * (1 if self.tied else 2)
        return heads + self.layers * (norms + biases) + self.hidden

    @property
    def parameters(self) -> int:
        """All parameters; exact for dense decoders of the families in `models.json`."""
        return self.linear + self.other

    @property
    def widest(self) -> int:
        """Parameters of the largest single linear layer of a block."""
        return self.hidden * max(self.intermediate, self.queries)

    def adapter(self, rank: int, targets: frozenset[str]) -> int:
        """Parameters of a LoRA adapter: `rank * (in + out)` for each target of each block.

        transformers 5 keeps the experts of a mixture fused in one tensor, which PEFT's
        `all-linear` passes over.
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
