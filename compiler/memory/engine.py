"""What vLLM needs of a GPU: the policy's weights in 16 bits, its cache, and its own work."""

from compiler.memory.architecture import Architecture

__all__ = ["GRAPHS", "cache_of_engine", "engine_bytes"]

# Bytes for the profile of a pass, CUDA graphs (0.15 to 1 GiB) and a buffer of 150 MiB.
GRAPHS = 2 * 2**30
# Weights are held in pages and a little padded.
PADDED = 1.05


def cache_of_engine(shape: Architecture, tokens: float) -> float:
    """Bytes of the keys and values of so many tokens, in 16 bits."""
    return 4.0 * shape.layers * shape.keys * tokens


def engine_bytes(
    shape: Architecture, tokens: float, tensor_parallel: int, weights: float | None = None
) -> float:
    """Bytes on each of the GPUs that hold one copy, with room for the cache of `tokens`.

    That is what `gpu_memory_utilization` has to make room for: vLLM stops at its start where the
    cache of one sequence does not fit beside the rest. `weights` are their bytes where they are not
    in 16 bits.
    """
    weights = 2.0 * shape.parameters if weights is None else weights
    held = weights * PADDED + cache_of_engine(shape, tokens)
    return held / tensor_parallel + GRAPHS
