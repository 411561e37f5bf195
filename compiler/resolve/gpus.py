"""The GPUs of a spec: what a program finds on each, and how many of them train."""

from compiler.memory import Device, device_of
from spec_schema.hardware import Hardware

__all__ = ["gpu_of", "server_elsewhere", "torch_device", "training_gpus"]


def gpu_of(hardware: Hardware) -> Device | None:
    """The GPU or memory class of the tier, less what something else takes; None for `cpu`."""
    device = device_of(hardware.tier)
    return None if device is None else device.less(hardware.reserve_gb)


def torch_device(hardware: Hardware) -> str:
    """The device of the tier as torch names it."""
    device = device_of(hardware.tier)
    return "cpu" if device is None else device.torch_name


def server_elsewhere(hardware: Hardware) -> bool:
    """Whether a vLLM server has one of several machines for itself."""
    rollout = hardware.rollout
    return hardware.nodes > 1 and rollout is not None and rollout.engine == "vllm-server"


def training_gpus(hardware: Hardware) -> int:
    """How many processes train a stage: one for each GPU but a server's, and one on the CPU."""
    rollout = hardware.rollout
    if rollout is None or rollout.engine != "vllm-server":
        return hardware.gpus
    return hardware.gpus - (rollout.gpus or rollout.tensor_parallel or 1)
