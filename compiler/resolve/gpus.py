"""The GPUs of a spec: what a program finds on each, and how many of them train."""

from compiler.memory import GIB, Device, device_of
from spec_schema.hardware import Hardware

__all__ = ["gpu_of", "training_gpus"]

GB = 1e9


def gpu_of(hardware: Hardware) -> Device | None:
    """The GPU or memory class of the tier, less what something else takes; None for `cpu`."""
    device = device_of(hardware.tier)
    if device is None or not hardware.reserve_gb:
        return device
    return device._replace(usable=device.usable - hardware.reserve_gb * GB / GIB)


def training_gpus(hardware: Hardware) -> int:
    """How many processes train a stage: one for each GPU, and one on the CPU."""
    return hardware.gpus
