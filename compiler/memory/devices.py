"""The machines that a tier names, each with the memory that a program finds on it.

Usable memory is what torch reports as the total of the device: measured in notebooks and CI logs
for T4, A10G, L4, A100 and H20, from makers and forums for the others, and where only the nominal
size is known that less 1.5 %. A memory class counts as the least of the cards that carry its name.
Of an Apple chip it is the working set that Metal recommends: two thirds of the memory that the
machine shares with its GPU, three quarters from 64 GB on.
Compute capability: NVIDIA, https://developer.nvidia.com/cuda-gpus.
"""

from typing import Literal, NamedTuple

__all__ = ["DEVICES", "GIB", "MEMORY_CLASSES", "Device", "device_of", "larger_classes"]

GIB = 2**30
GB = 10**9  # of what a person says that something else takes

AMPERE, HOPPER = (8, 0), (9, 0)
TURING = (7, 5)  # the first with kernels in builds for CUDA 13, of torch and of vLLM


class Device(NamedTuple):
    """One GPU or class of GPUs; memory in GiB, `capability` as (major, minor).

    `capability` is None for a class of memory, which is taken for NVIDIA's Ampere or newer, and for
    GPUs of other makers.
    """

    name: str
    memory_class: str
    usable: float
    capability: tuple[int, int] | None = None
    maker: Literal["nvidia", "amd", "apple"] = "nvidia"

    @property
    def bytes(self) -> float:
        """Usable memory in bytes."""
        return self.usable * GIB

    @property
    def torch_name(self) -> str:
        """The device's name in torch, whose ROCm build answers to CUDA's."""
        return "mps" if self.maker == "apple" else "cuda"

    @property
    def precision(self) -> Literal["float32", "float16", "bfloat16"]:
        """What a trainer computes in beside float32.

        NVIDIA's GPUs have bfloat16 from compute capability 8.0 on, and float16 before. On Apple's
        it is float32: bfloat16 needs macOS 14 and is emulated on M1 and M2 (transformers 5.24,
        utils/import_utils.py:672), and the scaler of float16 is CUDA's.
        """
        if self.maker == "apple":
            return "float32"
        old = self.capability is not None and self.capability < AMPERE
        return "float16" if old else "bfloat16"

    @property
    def flash_attention(self) -> tuple[int, ...]:
        """The versions of FlashAttention with kernels for the device.

        The second runs from Ampere on, and on AMD's GPUs; the third is written for Hopper, which a
        class of memory may be or not.
        """
        if self.maker == "apple" or self.precision == "float16":
            return ()
        hopper = self.capability is not None and self.capability[0] == HOPPER[0]
        return (2, 3) if hopper else (2,)

    @property
    def quantizes(self) -> bool:
        """Whether bitsandbytes has kernels of 4 bit in the wheel that its index has."""
        return self.maker != "apple"

    @property
    def runs_vllm(self) -> bool:
        """Whether the wheels of vLLM in the package index run on the device."""
        return self.maker == "nvidia" and (self.capability or AMPERE) >= TURING

    @property
    def torch_build(self) -> str | None:
        """The build of torch that the device needs, None where it is that of the package index."""
        if self.maker == "nvidia":
            return "CUDA 12" if (self.capability or AMPERE) < TURING else None
        return "ROCm" if self.maker == "amd" else None

    def less(self, reserved: float) -> "Device":
        """The device when something else takes `reserved` GB of its memory."""
        return self._replace(usable=self.usable - reserved * GB / GIB) if reserved else self


# The smallest first; bounded by RTX 5060 Ti, A10G and L4, A40 and L40S, H20, and B200.
MEMORY_CLASSES = (
    Device("8gb", "8gb", 7.8),
    Device("12gb", "12gb", 11.6),
    Device("16gb", "16gb", 15.6),
    Device("24gb", "24gb", 22.16),
    Device("32gb", "32gb", 31.4),
    Device("40gb", "40gb", 39.5),
    Device("48gb", "48gb", 44.4),
    Device("80gb", "80gb", 79.1),
    Device("96gb", "96gb", 94.99),
    Device("141gb", "141gb", 139.7),
    Device("192gb", "192gb", 178.0),
)

# `memory_class` is the largest that the memory of a GPU suffices for.
_GPUS = (
    Device("t4", "12gb", 14.56, (7, 5)),
    Device("v100", "16gb", 15.7, (7, 0)),
    Device("v100-32gb", "32gb", 31.7, (7, 0)),
    Device("rtx-2080-ti", "8gb", 10.7, (7, 5)),
    Device("rtx-3060", "12gb", 11.6, (8, 6)),
    Device("rtx-3070", "8gb", 7.8, (8, 6)),
    Device("rtx-3080", "8gb", 9.7, (8, 6)),
    Device("rtx-3090", "24gb", 23.6, (8, 6)),
    Device("rtx-4060", "8gb", 7.8, (8, 9)),
    Device("rtx-4060-ti-16gb", "16gb", 15.6, (8, 9)),
    Device("rtx-4070", "12gb", 11.6, (8, 9)),
    Device("rtx-4080", "16gb", 15.6, (8, 9)),
    Device("rtx-4090", "24gb", 23.5, (8, 9)),
    Device("rtx-5060", "8gb", 7.8, (12, 0)),
    Device("rtx-5060-ti-16gb", "16gb", 15.6, (12, 0)),
    Device("rtx-5070", "12gb", 11.6, (12, 0)),
    Device("rtx-5070-ti", "16gb", 15.6, (12, 0)),
    Device("rtx-5080", "16gb", 15.6, (12, 0)),
    Device("rtx-5090", "32gb", 31.4, (12, 0)),
    Device("rtx-pro-6000", "96gb", 95.0, (12, 0)),
    Device("a10g", "24gb", 22.18, (8, 6)),
    Device("l4", "24gb", 22.16, (8, 9)),
    Device("a40", "48gb", 44.4, (8, 6)),
    Device("a6000", "48gb", 47.5, (8, 6)),
    Device("l40s", "48gb", 44.4, (8, 9)),
    Device("a100-40gb", "40gb", 39.5, (8, 0)),
    Device("a100-80gb", "80gb", 79.25, (8, 0)),
    Device("h100", "80gb", 79.1, (9, 0)),
    Device("h800", "80gb", 79.1, (9, 0)),
    Device("h20", "96gb", 94.99, (9, 0)),
    Device("h200", "141gb", 139.7, (9, 0)),
    Device("b200", "192gb", 178.0, (10, 0)),
    Device("b300", "192gb", 267.0, (10, 3)),
    Device("mi300x", "192gb", 191.0, maker="amd"),
    Device("apple", "8gb", 10.67, maker="apple"),
    Device("apple-32gb", "16gb", 21.33, maker="apple"),
    Device("apple-64gb", "48gb", 48.0, maker="apple"),
    Device("apple-128gb", "96gb", 96.0, maker="apple"),
)

DEVICES = {device.name: device for device in (*MEMORY_CLASSES, *_GPUS)}


def device_of(tier: str) -> Device | None:
    """Give the GPU or memory class of a tier, None for `cpu`."""
    return DEVICES.get(tier)


def larger_classes(device: Device) -> tuple[Device, ...]:
    """Give the memory classes with more memory than a device, the smallest first."""
    return tuple(each for each in MEMORY_CLASSES if each.usable > device.usable)
