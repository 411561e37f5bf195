"""The memory of a stage as PLAN.md shows it."""

from compiler.memory import GIB
from compiler.plan.stages import MemoryPlan, StagePlan
from compiler.resolve.gpus import gpu_of
from compiler.resolve.inputs import Inputs
from compiler.resolve.levers import first_lever
from compiler.resolve.starts import model_of

__all__ = ["build_note", "kernels_note", "machine_said", "memory_lines", "unplanned_reason"]

BAR = 40  # characters for the memory of the GPU

SAID = {
    "fits": "it fits",
    "tight": "it is tight, for long rows may end the run",
    "does not fit": "it does not fit",
}


def memory_lines(inputs: Inputs, stage: StagePlan) -> tuple[str, ...]:
    """The range, a bar of the parts, and the lever; empty where nothing is predicted."""
    memory = stage.memory
    if memory is None:
        return ()
    needed = f"{memory.least / GIB:.1f} to {memory.most / GIB:.1f} GiB"
    head = (
        f"Memory: {needed} of {memory.usable / GIB:.1f} GiB; {SAID[memory.fit]}. With rows as long "
        f"as they may be the peak is in the {memory.moment}:"
    )
    lines = [head, "", "```", *_bar(memory), "```", ""]
    found = inputs.architectures[model_of(inputs, stage.name)].found
    said = (*stage.mechanics.tuned, memory.assumed, found)
    lines += [f"{text[0].upper()}{text[1:]}." for text in said if text]
    lever = first_lever(inputs, stage.name)
    if lever is not None:
        saved = (memory.peak - lever.estimate.peak) / GIB
        lines.append(f"The first lever is {lever.text}: it saves {saved:.1f} GiB.")
    return tuple(lines)


def machine_said(inputs: Inputs) -> str:
    """The precision and the memory of the tier."""
    hardware = inputs.spec.hardware
    device = gpu_of(hardware)
    if device is None:
        return "float32 on the CPU"
    gpus, each = ("one GPU", "") if hardware.gpus == 1 else (f"{hardware.gpus} GPUs", " on each")
    kind = {"amd": " of AMD", "apple": " of an Apple chip"}.get(device.maker, ", Ampere or newer")
    if device.capability is not None:
        kind = f" of compute capability {device.capability[0]}.{device.capability[1]}"
    nodes = f" in {hardware.nodes} machines" if hardware.nodes > 1 else ""
    kept = f" beside {hardware.reserve_gb:g} GB that are reserved" if hardware.reserve_gb else ""
    return (
        f"{device.precision} on {gpus}{kind}{nodes}, with {device.usable:.1f} GiB that a program "
        f"can use{each}{kept}"
    )


def build_note(inputs: Inputs) -> str | None:
    """Which build of torch the GPU needs, None where it is that of the package index."""
    device = gpu_of(inputs.spec.hardware)
    if device is None or device.torch_build is None:
        return None
    return (
        f"The package index has no torch for this GPU: install its build for {device.torch_build} "
        "before the project."
    )


def kernels_note(inputs: Inputs) -> str | None:
    """Where the kernels of the attention come from, None for those of torch."""
    attention = inputs.spec.model.attention
    if attention is None or not attention.startswith("flash"):
        return None
    package = "`flash-attn`" if attention.endswith("2") else "`flash-attn-3`"
    return (
        f"`{attention}` needs {package} where the stages train, built for its torch and its GPU; "
        "without it, `transformers[kernels]` fetches a build from the hub."
    )


def unplanned_reason(inputs: Inputs, stages: tuple[StagePlan, ...]) -> str | None:
    """Why the memory of a stage is not predicted, None where it is or where there is no GPU."""
    if gpu_of(inputs.spec.hardware) is None or all(stage.memory for stage in stages):
        return None
    if all(model_of(inputs, name) in inputs.architectures for name in inputs.stage_names):
        return "The size of a reward model is not known, so that memory is not predicted with it."
    return (
        "Neither a `config.json` nor the name tells the size of the base: memory is not predicted."
    )


def _bar(memory: MemoryPlan) -> list[str]:
    """A line for each part, as long as its share, and one for what is free or missing."""
    rest = memory.usable - memory.peak
    parts = [(name, size, "#") for name, size in memory.parts]
    parts.append(("free", rest, ".") if rest >= 0 else ("missing", -rest, "!"))
    width = max(len(name) for name, _, _ in parts)
    scale = BAR / max(memory.usable, memory.peak)
    return [
        f"{name:{width}} {size / GIB:6.2f} GiB  {sign * round(size * scale)}".rstrip()
        for name, size, sign in parts
    ]
