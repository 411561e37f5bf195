"""The GPUs: there are as many as said, each has memory left, and stages can share their steps."""

from compiler.diagnostics import Report
from compiler.memory import GIB, device_of
from compiler.parse import Document
from compiler.plan.outline import Outline
from compiler.rules.case import Case

__all__ = [
    "check_mechanics",
    "gpus_are_shared_out",
    "reserve_leaves_memory",
    "sharding_has_gpus",
]


def gpus_are_shared_out(case: Case) -> None:
    """A CPU or an Apple chip is one device, and the machines have equally many GPUs."""
    hardware = case.spec.hardware
    if hardware.gpus == hardware.nodes == 1:
        return
    device = device_of(hardware.tier)
    if device is None or device.maker == "apple":
        key = "gpus" if hardware.gpus > 1 else "nodes"
        message = f"`{key}` is {getattr(hardware, key)}, and the tier is `{hardware.tier}`"
        hint = "leave it out, or name the GPU as `tier`"
        case.error("conflicting-keys", ("hardware", key), message, hint, at="key")
    elif hardware.gpus % hardware.nodes:
        gpus, nodes = hardware.gpus, hardware.nodes
        # Whoever writes a number that cannot be shared out may mean those of each machine.
        near = sorted({max(nodes, gpus // nodes * nodes), -(-gpus // nodes) * nodes, gpus * nodes})
        message = f"{nodes} machines cannot have equally many of {gpus} GPUs"
        hint = f"`gpus` counts those of all machines: write `{'` or `'.join(map(str, near))}`"
        case.error("bad-value", ("hardware", "gpus"), message, hint)


def reserve_leaves_memory(case: Case) -> None:
    """Something else on the card leaves some of its memory; the CPU's is not counted."""
    hardware = case.spec.hardware
    path = ("hardware", "reserve_gb")
    if not hardware.reserve_gb:
        return
    device = device_of(hardware.tier)
    if device is None:
        message = "`reserve_gb` has no effect on the CPU, whose memory is not planned"
        case.warning("no-effect", path, message, "leave it out", at="key")
    elif device.less(hardware.reserve_gb).usable <= 0:
        has = f"{device.bytes / 1e9:.1f} GB, or {device.bytes / GIB:.1f} GiB"
        message = f"`reserve_gb` leaves nothing of the {has}, that `{hardware.tier}` has"
        case.error("bad-value", path, message, "write what other programs take on one GPU")


def sharding_has_gpus(case: Case) -> None:
    """What is shared out has several GPUs to lie on."""
    hardware = case.spec.hardware
    if hardware.gpus == 1 and hardware.sharding not in ("auto", "none"):
        message = f"`{hardware.sharding}` shares out weights or states among GPUs, and there is one"
        hint = "leave it out, or write how many `gpus` there are"
        case.error("conflicting-keys", ("hardware", "sharding"), message, hint)


def check_mechanics(outline: Outline, document: Document, report: Report) -> None:
    """Report why stages cannot use the machine, at the key that the spec writes."""
    for stage in outline.stages:
        for fault in stage.mechanics.faults:
            written = (path for path in fault.paths if path in document.key_spans)
            place = document.value_place(next(written, fault.paths[-1]))
            report.error(fault.code, fault.message, place, hints=fault.hints)
