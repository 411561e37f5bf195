"""Whether a stage fits its GPU, and what was turned down for it."""

from compiler.memory import GIB, Device, Estimate, Fit, device_of
from compiler.plan.mechanics import Batch
from compiler.plan.stages import MemoryPlan
from compiler.resolve.batch import estimate_of, usual_batch
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import model_of

__all__ = ["plan_memory"]


def plan_memory(inputs: Inputs, name: str, batch: Batch) -> MemoryPlan | None:
    """Predict the peak of a stage; None on the CPU, and where a model's size is not known."""
    device = device_of(inputs.spec.hardware.tier)
    found = estimate_of(inputs, name, batch)
    floor = estimate_of(inputs, name, Batch(1, batch.size), shortest=True)
    if device is None or found is None or floor is None:
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
        tuned=_tuned(inputs, name, batch),
        edits=() if fit == "fits" else _edits(inputs, name),
    )


def _fit(longest: Estimate, shortest: Estimate, device: Device) -> Fit:
    """Only what the shortest rows need can be sure not to fit."""
    if shortest.least > device.bytes:
        return "does not fit"
    return "fits" if longest.fit(device) == "fits" else "tight"


def _tuned(inputs: Inputs, name: str, batch: Batch) -> str:
    usual = usual_batch(inputs, name)
    needed = estimate_of(inputs, name, usual)
    if usual == batch or needed is None:
        return ""
    return (
        f"the micro-batch is {batch.per_device} and not the tier's {usual.per_device}, which could "
        f"take {needed.most / GIB:.1f} GiB; accumulation is {batch.accumulation} for it"
    )


def _edits(inputs: Inputs, name: str) -> tuple[str, ...]:
    from compiler.resolve.levers import mending_edits  # most stages fit

    return tuple(mending_edits(inputs, name))
