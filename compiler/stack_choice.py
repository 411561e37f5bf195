"""Which stack a spec is compiled with: the one it names, its last compile's, or the newest.

And which of its version sets, by what the machine is used with.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from compiler.diagnostics import Report
from compiler.parse import Document, KeyPath
from compiler.source import SourceFile
from compiler.stack import Variant, known_stacks, newest_stack
from compiler.unsettled import Unsettled

if TYPE_CHECKING:
    from spec_schema import TaskSpec

__all__ = [
    "STACK",
    "upgrade_settings",
    "variant_of",
    "with_changed_line",
    "with_stack",
    "written_variant",
]

STACK: KeyPath = ("project", "stack")


def variant_of(backend: str, engines: Iterable[str]) -> Variant:
    """Give the version set of a project whose rollouts are sampled by these engines.

    A project is one environment: one stage that samples with vLLM is enough.
    """
    if backend == "unsloth":
        return "unsloth"
    return "vllm" if any(engine.startswith("vllm") for engine in engines) else "plain"


def written_variant(spec: "TaskSpec") -> Variant:
    """Give the version set that a spec asks for itself, before its engines are decided.

    `plain` where the engine is left to the tier: vLLM's set has the fields of the same TRL.
    """
    rollout = spec.hardware.rollout
    samples = any(stage.method in ("grpo", "rloo") for stage in spec.stages.values())
    return variant_of(spec.hardware.backend, [rollout.engine] if rollout and samples else [])


def upgrade_settings(document: Document) -> list[str]:
    """Give the setting that changes the `stack` line of a spec to the newest, where it has one."""
    return [f'project.stack="{newest_stack()}"'] if STACK in document.key_spans else []


def with_stack(
    document: Document, recorded: str | None, report: Report, *, upgrade: bool
) -> Document:
    """Give a spec that names no stack that of its last compile, or with `upgrade` the newest.

    A recorded stack that this trainspec does not have is reported, then `Stop`. Raises `Unsettled`
    where an upgrade would have to change a house file.
    """
    project = document.values.get("project")
    name = newest_stack() if upgrade else recorded
    if name is None or not isinstance(project, dict):
        return document
    if "stack" in project:
        if upgrade and STACK in document.shared and project["stack"] != name:
            raise _in_house(document, name)
        return document
    if name not in known_stacks():
        report.error(
            "unknown-stack",
            f"the project was last compiled with the stack `{name}`, "
            "which is not in this trainspec",
            document.key_place(("project",)),
            hints=(
                "install a trainspec that has it",
                f"or move to `{newest_stack()}` with `trainspec compile --upgrade`",
            ),
        )
        report.stop_if_errors()
    return document._replace(values={**document.values, "project": {**project, "stack": name}})


def with_changed_line(on_disk: SourceFile, text: str) -> bytes:
    """Give a spec's bytes with the lines that its new text changes, of which it adds none.

    BOM, line ends and everything else stay as they are in the file.
    """
    lines = on_disk.path.read_bytes().split(b"\n")
    pairs = zip(on_disk.text.split("\n"), text.split("\n"), strict=True)
    for number, (old, new) in enumerate(pairs):
        if old != new:
            lines[number] = lines[number].replace(old.encode(), new.encode())
    return b"\n".join(lines)


def _in_house(document: Document, newest: str) -> Unsettled:
    house = document.key_place(STACK).file
    return Unsettled(
        (
            f"error: the stack is named in `{house}`, which `--upgrade` does not change",
            "nothing was written",
            f'hint: write `stack = "{newest}"` there; it is for all specs that extend it',
        )
    )
