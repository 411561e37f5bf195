"""The parameters of decoders whose blocks are not all attention and a gated MLP.

Counted as transformers 5.24 builds them, in `modeling_gpt_oss.py`, `modeling_qwen3_5.py` and
`modeling_gemma4.py`; a test builds each of the catalogue there and compares.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Blocks", "unusual_blocks"]

# What autograd saves in a Gated DeltaNet layer without flash-linear-attention, in parts of what it
# saves in one of attention (counted on the CPU: 418 KB for each token of Qwen3.5-4B).
DELTA_NET = 2.5


class Blocks(NamedTuple):
    """All blocks of a decoder together, and its last norm.

    `linear` are the parameters of linear layers, those of fused experts apart; `other` those of
    norms, biases, convolutions and tables beside the usual embeddings. `caching` blocks keep keys
    and values. `saves` is what a block saves for the backward pass, in parts of a usual one.
    """

    linear: int
    other: int
    caching: int
    saves: float = 1.0


def unusual_blocks(kind: str, config: Mapping[str, Any]) -> Blocks | None:
    """Count the blocks of a kind of model that is known not to be usual, else None.

    Raises KeyError, TypeError or ValueError where a dimension is missing or none.
    """
    counts = {"gpt_oss": _gpt_oss, "qwen3_5": _qwen3_5, "gemma4": _gemma4}
    name = kind.removesuffix("_text").removesuffix("_moe")
    return counts[name](config) if name in counts else None


def _gpt_oss(config: Mapping[str, Any]) -> Blocks:
    """Attention with biases and a sink for each head; biases of experts and of their router."""
    hidden, layers, experts = (
        config[key] for key in ("hidden_size", "num_hidden_layers", "num_local_experts")
    )
    heads, head = config["num_attention_heads"], config["head_dim"]
    queries, keys = heads * head, config["num_key_value_heads"] * head
    biases = queries + 2 * keys + hidden + heads
    of_experts = experts * (2 * config["intermediate_size"] + hidden + 1)
    linear = 2 * hidden * (queries + keys)
    return Blocks(
        layers * linear, layers * (biases + of_experts + 2 * hidden) + hidden, caching=layers
    )


def _qwen3_5(config: Mapping[str, Any]) -> Blocks:
    """Three blocks of Gated DeltaNet to each of attention, whose queries have a gate."""
    hidden, layers = config["hidden_size"], config["num_hidden_layers"]
    caching = layers // config.get("full_attention_interval", 4)
    head = config.get("head_dim", 256)
    queries, keys = (config[key] * head for key in ("num_attention_heads", "num_key_value_heads"))
    attention = hidden * (3 * queries + 2 * keys)
    value_heads = config.get("linear_num_value_heads", 32)
    value_head = config.get("linear_value_head_dim", 128)
    key = config.get("linear_num_key_heads", 16) * config.get("linear_key_head_dim", 128)
    value = value_heads * value_head
    delta = hidden * (2 * key + 3 * value + 2 * value_heads)
    kernel = config.get("linear_conv_kernel_dim", 4)
    delta_other = kernel * (2 * key + value) + 2 * value_heads + value_head
    shared = config.get("shared_expert_intermediate_size", 0)
    wide = 3 * hidden * config.get("intermediate_size", 0)
    mlp = 3 * hidden * shared + hidden if shared else wide
    return Blocks(
        caching * attention + (layers - caching) * delta + layers * mlp,
        caching * 2 * head + (layers - caching) * delta_other + (2 * layers + 1) * hidden,
        caching,
        saves=(caching + DELTA_NET * (layers - caching)) / layers,
    )


def _gemma4(config: Mapping[str, Any]) -> Blocks:
    """Every sixth block with wider heads, the last ones without keys of their own, and tables."""
    hidden, layers = config["hidden_size"], config["num_hidden_layers"]
    shared_from = layers - config.get("num_kv_shared_layers", 0)
    types = config.get("layer_types") or [
        "sliding_attention" if (each + 1) % 6 else "full_attention" for each in range(layers)
    ]
    table = config.get("hidden_size_per_layer_input", 256)
    linear = layers * (3 * hidden * config["intermediate_size"] + 3 * hidden * table)
    other = hidden + layers * (4 * hidden + (hidden if table else 0)) + table
    other += config.get("vocab_size_per_layer_input", 262144) * layers * table
    for number, kind in enumerate(types):
        full = kind == "full_attention" or number == layers - 1
        head = config.get("global_head_dim", 512) if full else config["head_dim"]
        own = number < shared_from
        keys = config["num_key_value_heads"] * head if own else 0
        linear += 2 * hidden * (config["num_attention_heads"] * head + keys)
        other += 2 * head if own else head
    return Blocks(linear, other, caching=shared_from)
