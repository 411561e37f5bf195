"""The GPUs that a tier names, each with the memory that a program finds on it.

Usable memory is what torch reports as the total of the device: measured in notebooks and CI logs
for A10G, L4, A100 and H20, from makers and forums for the others, and where only the nominal size
is known that less 1.5 %. A memory class counts as the least of the cards that carry its name.
Compute capability: NVIDIA, https://developer.nvidia.com/cuda-gpus.
"""

from typing import NamedTuple

__all__ = ["DEVICES", "GIB", "MEMORY_CLASSES", "Device", "device_of", "larger_classes"]

GIB = 2**30


class Device(NamedTuple):
    """One GPU or class of GPUs; memory in GiB, `capability` as (major, minor), None for a class."""

    name: str
    memory_class: str
    usable: float
    capability: tuple[int, int] | None = None

    @property
    def bytes(self) -> float:
        """Usable memory in bytes."""
        return self.usable * GIB


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

_GPUS = (
    Device("rtx-3060", "12gb", 11.6, (8, 6)),
    Device("rtx-3090", "24gb", 23.6, (8, 6)),
    Device("rtx-4060-ti-16gb", "16gb", 15.6, (8, 9)),
    Device("rtx-4070", "12gb", 11.6, (8, 9)),
    Device("rtx-4080", "16gb", 15.6, (8, 9)),
    Device("rtx-4090", "24gb", 23.5, (8, 9)),
    Device("rtx-5060-ti-16gb", "16gb", 15.6, (12, 0)),
    Device("rtx-5070", "12gb", 11.6, (12, 0)),
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
    Device("h20", "96gb", 94.99, (9, 0)),
    Device("h200", "141gb", 139.7, (9, 0)),
    Device("b200", "192gb", 178.0, (10, 0)),
)

DEVICES = {device.name: device for device in (*MEMORY_CLASSES, *_GPUS)}


def device_of(tier: str) -> Device | None:
    """Give the GPU or memory class of a tier, None for `cpu`."""
    return DEVICES.get(tier)


def larger_classes(device: Device) -> tuple[Device, ...]:
    """Give the memory classes with more memory than a device, the smallest first."""
    return tuple(each for each in MEMORY_CLASSES if each.usable > device.usable)
