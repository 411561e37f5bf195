"""Whether a stage fits its GPU."""

from compiler.memory import Device, Estimate, Fit
from compiler.plan.mechanics import Mechanics
from compiler.plan.stages import MemoryPlan
from compiler.resolve.gpus import gpu_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.jobs import estimate_of
from compiler.resolve.starts import model_of

__all__ = ["plan_memory"]


def plan_memory(inputs: Inputs, name: str, mechanics: Mechanics) -> MemoryPlan | None:
    """Predict the peak of a stage; None on the CPU, and where a model's size is not known."""
    device = gpu_of(inputs.spec.hardware)
    if device is None:
        return None
    found = estimate_of(inputs, name, mechanics)
    floor = estimate_of(inputs, name, _smallest(mechanics), shortest=True)
    if found is None or floor is None:
        return None
    fit = _fit(found, floor, device)
    return MemoryPlan(
        moment=found.moment,
        parts=tuple((part, round(size)) for part, size in found.parts),
        least=round(floor.least),
        most=round(found.most),
        held=round(found.held),
        usable=round(device.bytes),
        fit=fit,
        assumed=inputs.architectures[model_of(inputs, name)].assumed,
        edits=() if fit == "fits" else _edits(inputs, name),
    )


def _smallest(mechanics: Mechanics) -> Mechanics:
    """The same with one row or completion in a forward pass, and the rest accumulated."""
    per_process = mechanics.batch.size // mechanics.batch.processes
    return mechanics._replace(
        batch=mechanics.batch._replace(per_device=1, accumulation=per_process)
    )


def _fit(longest: Estimate, shortest: Estimate, device: Device) -> Fit:
    """Only what the shortest rows need can be sure not to fit."""
    if shortest.least > device.bytes:
        return "does not fit"
    return "fits" if longest.fit(device) == "fits" else "tight"


def _edits(inputs: Inputs, name: str) -> tuple[str, ...]:
    from compiler.resolve.levers import mending_edits  # most stages fit

    return tuple(mending_edits(inputs, name))
