"""What a forward and a backward pass hold: saved tensors, the loss, the cache of a generation.

The bytes of a block's saved tensors were counted on the CPU with transformers 5.24 and attention
that saves no scores (flash, SDPA); they replace the formula of Korthikanti et al., arXiv
2205.05198, for RMSNorm, gated MLPs and grouped queries.
"""

import math

from compiler.memory.architecture import Architecture
from compiler.memory.job import Job

__all__ = [
    "cache",
    "casts",
    "checkpoints",
    "dequantized",
    "recomputed",
    "saved",
    "scoring",
    "vocabulary",
]

# TRL's `trl/models/activation_offloading.py` copies behind the backs of so many tensors.
STASHED = 5
# TRL 1.16, `trl/kernels/chunked_logprob.py` and `trl/trainer/utils.py`: one tile of logits.
TILE_TOKENS, TILE_VOCABULARY = 4096, 32768

# Bytes for each scored token and entry of the vocabulary: logits, their float32 copy, gradients.
# Of transformers 5 by simulation; of older ones fitted to the slopes of published measurements.
LOGITS = {
    "transformers-5": 12,
    "transformers-4.45": 14,
    "transformers-4.44": 18,
    "fused-cross-entropy": 8,
    "chunked": 3,
}


def saved(shape: Architecture, job: Job) -> float:
    """Bytes that autograd saves in one block, for each token."""
    if not job.autocast:
        return _saved_in_float32(shape, job)
    hidden, wide = shape.hidden, shape.active
    queries, keys, experts = shape.queries, shape.keys, 4 * shape.hidden * shape.experts_per_token
    if job.adapter is None and job.dtype == 4:  # noqa: PLR2004 - float32, computed in 16 bits
        usual = 26 * hidden + 8 * wide + 4 * queries + 4 * keys
    elif job.adapter is None:
        usual = 16 * hidden + 8 * wide + 4 * queries + 4 * keys + 4 * shape.heads + 8
    else:
        usual = 8 * hidden + 6 * wide + 4 * queries + 4 * keys + _adapter_inputs(shape, job)
    full = job.adapter is None
    norms = (22.5 if full else 8) * hidden if shape.norms == 4 else 0  # noqa: PLR2004 - as Gemma
    query_norm = (6 if full else 4) * (queries + keys) if shape.query_norm else 0
    return shape.saves * (usual + norms + query_norm + experts)


def _saved_in_float32(shape: Architecture, job: Job) -> float:
    """The same where nothing is computed in 16 bits; an adapter shares the inputs of its layers."""
    hidden, wide = shape.hidden, shape.active
    queries, keys, full = shape.queries, shape.keys, job.adapter is None
    down = full or (job.adapter is not None and "down_proj" in job.adapter.targets)
    usual = (24 if full else 16) * hidden + (16 if down else 12) * wide + 8 * (queries + keys)
    norms = (22.5 if full else 8) * hidden if shape.norms == 4 else 0  # noqa: PLR2004 - as Gemma
    query_norm = (8 if full else 4) * (queries + keys) if shape.query_norm else 0
    experts = 8 * hidden * shape.experts_per_token
    return shape.saves * (usual + norms + query_norm + experts + 4 * shape.heads + 8)


def _adapter_inputs(shape: Architecture, job: Job) -> float:
    """What the adapters of a block save: in float32 each a copy of its input, else one of each."""
    adapter = job.adapter
    if adapter is None:
        return 0.0
    of_attention = sum(name in adapter.targets for name in ("q_proj", "k_proj", "v_proj"))
    of_mlp = sum(name in adapter.targets for name in ("gate_proj", "up_proj"))
    out, down = "o_proj" in adapter.targets, "down_proj" in adapter.targets
    dropped = of_attention + of_mlp
    bytes_ = 2.0 * down * shape.active
    if adapter.bytes == 4 and not job.unsloth:  # noqa: PLR2004 - bytes of a float32
        bytes_ += 2 * dropped * shape.hidden + 2 * out * shape.queries
    else:
        bytes_ += 2 * (min(of_attention, 1) + min(of_mlp, 1)) * shape.hidden
    if adapter.dropout:  # a mask of one byte for each element of an input
        bytes_ += dropped * shape.hidden + out * shape.queries + down * shape.active
    return bytes_


def checkpoints(shape: Architecture, job: Job) -> float:
    """Bytes of the inputs of all blocks, kept where the rest is recomputed.

    Unsloth keeps them on the host.
    """
    if job.unsloth:
        return 0.0
    residual = 4 if job.wide_residual else job.dtype
    blocks = min(shape.layers, STASHED) if job.offloads else shape.layers
    return float(blocks * job.batch_tokens * shape.hidden * residual)


def recomputed(shape: Architecture, job: Job) -> float:
    """Bytes of the block that a backward pass recomputes: saved tensors and their gradients.

    The factors come from a simulation on the CPU of five shapes. That of Unsloth is the slope of
    its own table of the longest contexts, the same for Llama 8B and 70B.
    """
    if job.unsloth and job.adapter is not None:
        factor = 1.2
    elif job.adapter is None:
        factor = 1.05 if job.dtype == 4 and job.autocast else 1.25  # noqa: PLR2004 - bytes of a float32
    else:
        factor = 1.65 if job.adapter.bytes == 4 and job.autocast else 1.45  # noqa: PLR2004 - bytes of a float32
    return factor * saved(shape, job) * job.batch_tokens + casts(shape, job, 1)


def casts(shape: Architecture, job: Job, layers: int) -> float:
    """Bytes of the 16-bit copies that autocast makes of the float32 weights of some blocks."""
    share = layers / shape.layers
    return (
        2 * (shape.linear + shape.fused) * share
        if job.weights == "float32" and job.autocast
        else 0.0
    )


def dequantized(shape: Architecture, job: Job) -> float:
    """Bytes of the one weight that is dequantized at a time."""
    return 2.0 * shape.widest if job.weights.startswith("nf4") else 0.0


def scoring(shape: Architecture, job: Job) -> float:
    """Bytes of a forward pass of the reference while the policy's graph is alive."""
    block = _passed(shape, job) * job.batch_tokens
    whole = job.head not in ("fused-head", "liger")
    logits = 6 * job.sequences * job.scored * shape.vocabulary if whole else 0
    return float(block + logits)


def vocabulary(shape: Architecture, job: Job) -> float:
    """Bytes of the vocabulary projection and the loss."""
    tokens, size = job.sequences * job.scored, shape.vocabulary
    head_trained = job.adapter is None
    if job.head == "none":
        return 0.0
    if job.head == "fused-head":
        tile = 2 * min(tokens, TILE_TOKENS) * min(size, TILE_VOCABULARY)
        grown = shape.embedding * (4 + job.dtype) if head_trained else 0
        return float(tile + 8 * tokens * shape.hidden + grown)
    if job.head == "liger":  # LigerFusedLinearCrossEntropy: chunks of a power of two
        chunk = 2 ** math.ceil(math.log2(max(tokens / (size / shape.hidden), 1)))
        grown = shape.embedding * 4 if head_trained else 0
        return float(chunk * size * 6 + 4 * tokens * shape.hidden + grown)
    return float(LOGITS[job.head] * tokens * size)


def cache(shape: Architecture, job: Job) -> dict[str, float]:
    """Bytes by part of a generation with transformers, at its prompts or at its end.

    The cache grows by copying one block's at a time. Under autocast the keys of a float32 model
    are float32 and its values bfloat16.
    """
    prompt, tokens = job.tokens - job.scored, job.generated * job.tokens
    wide = job.dtype == 4 or not job.autocast  # noqa: PLR2004 - bytes of a float32
    both = (6 if job.autocast else 8) if wide else 4
    per_token = (shape.caching + 1) * shape.keys * both
    begin = {
        "generation cache": float(job.generated * prompt * per_token),
        "pass over prompts": _passed(shape, job) * job.generated * prompt,
    }
    end = {
        "generation cache": float(tokens * per_token),
        "sampling": 12.0 * job.generated * shape.vocabulary,
    }
    return max(begin, end, key=lambda parts: sum(parts.values()))


def _passed(shape: Architecture, job: Job) -> float:
    """Bytes for each token in one block of a forward pass without gradients.

    Counted on the CPU with the allocator's own events, transformers 5.24 and PEFT 0.21.
    """
    hidden, wide = shape.hidden, shape.active
    if not job.autocast:
        return 12.0 * wide + 16 * hidden
    if job.adapter is not None:
        return 8.0 * wide + 12 * hidden
    return 6.0 * wide + (16 if job.dtype == 4 else 8) * hidden  # noqa: PLR2004 - bytes of a float32
