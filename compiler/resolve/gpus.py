"""The GPUs of a spec: what a program finds on each, and how many of them train."""

from compiler.memory import Device, device_of
from compiler.resolve.inputs import Inputs
from spec_schema.hardware import Hardware
from spec_schema.stages.rollout import RolloutStage

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


def training_gpus(inputs: Inputs, name: str) -> int:
    """How many processes train a stage: one for each GPU that no server has, one on the CPU."""
    hardware = inputs.spec.hardware
    asked = hardware.rollout
    samples = isinstance(inputs.spec.stages[name], RolloutStage)
    if asked is None or asked.engine != "vllm-server" or not samples:
        return hardware.gpus
    from compiler.resolve.engines import server  # few specs have one

    return max(1, hardware.gpus - server(inputs, name).gpus)
