"""Each stage fits the memory of its GPU."""

from compiler.diagnostics import Report
from compiler.parse import Document
from compiler.plan.outline import Outline
from compiler.plan.stages import MemoryPlan

__all__ = ["check_memory"]

GIB = 2**30


def check_memory(outline: Outline, document: Document, report: Report) -> None:
    """Report the stage that surely needs more than the GPU has, or else may well need more.

    Of several the one that needs most: the others are mended with it or come up after it.
    """
    planned = [(stage.name, stage.memory) for stage in outline.stages if stage.memory is not None]
    if not planned:
        return
    name, memory = max(planned, key=lambda each: each[1].peak)
    place = document.value_place(("hardware", "tier"))
    if memory.fit == "does not fit":
        message = f"`{name}` needs at least {_size(memory.least)}, and {_has(memory, document)}"
        report.error("does-not-fit", message, place, hints=memory.edits)
    elif memory.held > memory.usable:
        message = (
            f"`{name}` takes {_size(memory.held)} where rows are as long as they may be, "
            f"and {_has(memory, document)}"
        )
        report.warning("tight-memory", message, place, hints=memory.edits)


def _has(memory: MemoryPlan, document: Document) -> str:
    tier = document.values["hardware"]["tier"]
    return f"a GPU of `{tier}` has {_size(memory.usable)} that a program can use"


def _size(size: int) -> str:
    return f"{size / GIB:.1f} GiB"
