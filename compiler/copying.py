"""What a project in a new folder takes along: the spec, and its house file beside it."""

import json
from pathlib import Path

from compiler.diagnostics import Report
from compiler.extends import EXTENDS
from compiler.manifest import Compiled
from compiler.overrides import override
from compiler.pipeline import Resolved, compile_spec
from compiler.stack_choice import with_changed_line
from compiler.unsettled import Unsettled

__all__ = ["copied_sources"]


def copied_sources(
    resolved: Resolved, into: Path, *, rewritten: bool
) -> tuple[Compiled, dict[str, bytes]]:
    """Give the compile for a new folder, and the bytes of the spec and of its house file there.

    A house file that lies outside the spec's folder comes along under its own name, and the copied
    spec extends that copy, so that the new project can be compiled again wherever it lies.
    An overlay that is a folder stays where it is, and the copied spec names it from `into`.
    `rewritten` says that the spec's text has values of `--set`. Raises `Unsettled` where the house
    file cannot lie there under its name.
    """
    compiled, house = compile_spec(resolved), resolved.checked.document.house
    text, name = resolved.source.text, resolved.source.path.name
    house_bytes: dict[str, bytes] = {}
    settings: list[str] = []
    named: str = resolved.checked.document.values["project"].get("extends", "")
    if house is not None and named not in compiled.named_files:
        beside = house.path.name
        taken = {name, *compiled.named_files, *compiled.tree}
        if beside.casefold() in {path.casefold() for path in taken}:
            raise _taken(beside)
        setting = f"{'.'.join(map(str, EXTENDS))}={json.dumps(beside)}"
        settings.append(setting)
        house_bytes[beside] = house.path.read_bytes()
    overlay = resolved.checked.inputs.spec.project.overlay
    if overlay is not None:
        from compiler.overlay import moved_source  # few specs have one

        moved = moved_source(overlay.source, resolved.project, into)
        settings += [f"project.overlay.source={json.dumps(moved)}"] if moved else []
    if settings:
        text = override(resolved.source, settings, Report()).source.text
    on_disk = resolved.checked.on_disk
    spec_bytes = text.encode() if rewritten else with_changed_line(on_disk, text)
    return compiled._replace(spec_text=text), {name: spec_bytes, **house_bytes}


def _taken(name: str) -> Unsettled:
    return Unsettled(
        (
            f"error: the house file `{name}` would lie beside a file of that name",
            "nothing was written",
            "hint: give the house file another name",
        )
    )
