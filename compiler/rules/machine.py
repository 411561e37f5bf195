"""Several GPUs: there are such, each machine has as many, and each stage can share its step."""

from compiler.diagnostics import Report
from compiler.parse import Document
from compiler.plan.outline import Outline
from compiler.rules.case import Case

__all__ = ["check_mechanics", "gpus_are_shared_out"]


def gpus_are_shared_out(case: Case) -> None:
    """A CPU is one device, and the machines have equally many GPUs."""
    hardware = case.spec.hardware
    if hardware.tier == "cpu":
        key = "gpus" if hardware.gpus > 1 else "nodes"
        message = f"`{key}` is {getattr(hardware, key)}, and the tier is `cpu`"
        hint = "leave it out, or name the GPU as `tier`"
        case.error("conflicting-keys", ("hardware", key), message, hint, at="key")
    elif hardware.gpus % hardware.nodes:
        gpus, nodes = hardware.gpus, hardware.nodes
        near = sorted({max(nodes, gpus // nodes * nodes), -(-gpus // nodes) * nodes})
        message = f"{nodes} machines cannot have equally many of {gpus} GPUs"
        hint = f"`gpus` counts those of all machines: write `{'` or `'.join(map(str, near))}`"
        case.error("bad-value", ("hardware", "gpus"), message, hint)


def check_mechanics(outline: Outline, document: Document, report: Report) -> None:
    """Report why stages cannot use the machine, at the key that the spec writes."""
    for stage in outline.stages:
        for fault in stage.mechanics.faults:
            written = (path for path in fault.paths if path in document.key_spans)
            place = document.value_place(next(written, fault.paths[-1]))
            report.error(fault.code, fault.message, place, hints=fault.hints)
