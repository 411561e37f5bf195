"""How fast the GPUs are, and how much of that training has been seen to reach.

Compute is dense, on 16-bit tensor cores with sums in float32, and memory bandwidth that of the
makers' data sheets, as TRL 1.16 has them for its own utilization (trainer/utils.py,
`_PEAK_FLOPS_BY_DEVICE`) and vendors quote them. Efficiency is the share of it in published runs:
A100 foundation-model-stack/fms-acceleration, scripts/benchmarks/refs; RTX 4090 and A6000 the
README of torchtune; T4 the notebooks of TRL and Unsloth; H100, H200, B200 and RTX 5090
https://docs.surogate.ai/reference/benchmarks, RTX PRO 6000
https://www.exxactcorp.com/blog/benchmark/lora-fine-tuning-benchmark-on-nvidia-gpus; vendors have
measured these five. L40S: PEFT's method_comparison, with half of that on short rows. Without runs
of their own, RTX 3090, A10G and A40 count as the A6000, which has their chip, and the L4 as the
L40S, which has as much compute for a byte of bandwidth.
"""

from typing import NamedTuple

__all__ = ["SPEEDS", "Speed"]


class Speed(NamedTuple):
    """Operations and bytes in a second at the most, and the share that training reaches.

    `unsloth` is that share with Unsloth's kernels, where it differs.
    """

    operations: float
    bandwidth: float
    efficiency: float
    unsloth: float | None = None


def _speed(
    teraflops: float, gigabytes: float, efficiency: float, unsloth: float | None = None
) -> Speed:
    return Speed(teraflops * 1e12, gigabytes * 1e9, efficiency, unsloth)


# Where no run with its whole configuration is known, there is no row.
SPEEDS = {
    "t4": _speed(65, 320, 0.05, unsloth=0.15),
    "rtx-3090": _speed(71, 936, 0.6),
    "rtx-4090": _speed(165.2, 1008, 0.6),
    "rtx-5090": _speed(209.5, 1792, 0.6),
    "rtx-pro-6000": _speed(500, 1792, 0.45),
    "a10g": _speed(70, 600, 0.6),
    "l4": _speed(121, 300, 0.45),
    "a40": _speed(149.7, 696, 0.6),
    "a6000": _speed(154.85, 768, 0.6),
    "l40s": _speed(362, 864, 0.45),
    "a100-40gb": _speed(312, 1555, 0.5),
    "a100-80gb": _speed(312, 2039, 0.5),
    "h100": _speed(989, 3350, 0.375),
    "h200": _speed(989, 4800, 0.375),
    "b200": _speed(2250, 8000, 0.3),
}
