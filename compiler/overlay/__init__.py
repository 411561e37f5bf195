"""Overlays: a team's own Copier template as one more source of a project's files."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast

from compiler.manifest import STATE_FOLDER, belongs_to, read_manifest
from compiler.overlay.fetching import cached_commit, fetch
from compiler.overlay.origin import is_folder, repository_url
from compiler.overlay.rendering import Rendered, render
from compiler.overlay_pin import OverlayPin
from compiler.unsettled import Unsettled
from spec_schema.overlay import Overlay

__all__ = ["Overlaid", "moved_source", "overlay_files"]


class Overlaid(NamedTuple):
    """The files of an overlay, and the commit that they come from; None for a folder as it is."""

    files: Mapping[str, str]
    pin: OverlayPin | None


def overlay_files(
    overlay: Overlay,
    folder: Path,
    plan: Mapping[str, Any],
    written: Collection[str],
    named: Sequence[str],
    *,
    upgrade: bool,
    trust: bool,
) -> Overlaid:
    """Render the overlay of the spec in `folder` with its plan.

    `written` are the files that the compiler writes itself, `named` the spec and what it names.
    The commit is that of the last compile, where this was of the same source and `ref`; with
    `upgrade` it is looked up anew.
    Raises `Unsettled` where the template is wrong or not trusted, or where it would write what
    another one does; `Unreachable` where it has to be fetched and cannot be.
    """
    last = None if upgrade else _last_pin(folder, named[0])
    template, pin = _located(overlay, folder, last)
    rendered = render(template, plan, overlay.source, trust=trust)
    faults = [*_faults(rendered, written, named)]
    if faults:
        lines = [f"error: the overlay `{overlay.source}` writes {fault}" for fault in faults]
        hint = (
            "hint: list a file that yours is to stand in for under `replace` in its copier.yml, "
            "and give any other file another name"
        )
        raise Unsettled((*lines, "nothing was written", hint))
    return Overlaid(rendered.files, pin)


def moved_source(source: str, folder: Path, into: Path) -> str | None:
    """Give a source that leads out of `folder` as it is called in `into`; None where it stays."""
    if not is_folder(source) or PurePosixPath(source).is_absolute():
        return None
    if ".." not in PurePosixPath(source).parts:
        return None  # it goes along
    there = os.path.relpath(folder.resolve() / source, into.resolve())
    return there if is_folder(there) else f"./{there}"


def _last_pin(project: Path, spec_name: str) -> OverlayPin | None:
    try:
        last = read_manifest(project)
        # What is wrong with the state, the compile says.
        return last.overlay if last is not None and belongs_to(project, spec_name) else None
    except Unsettled:
        return None


def _located(
    overlay: Overlay, folder: Path, last: OverlayPin | None
) -> tuple[Path, OverlayPin | None]:
    here = (folder / overlay.source).resolve()
    if is_folder(overlay.source) and overlay.ref is None:
        return here, None
    # The rules have refused what is neither.
    url = str(here) if is_folder(overlay.source) else cast("str", repository_url(overlay.source))
    commit = overlay.ref
    if last is not None and (last.source, last.ref) == (overlay.source, overlay.ref):
        commit = last.commit
    found = cached_commit(url, commit)
    if found is not None and commit is not None:
        return found, OverlayPin(overlay.source, overlay.ref, commit)
    fetched, commit = fetch(url, commit)
    return fetched, OverlayPin(overlay.source, overlay.ref, commit)


def _faults(rendered: Rendered, written: Collection[str], named: Collection[str]) -> Iterator[str]:
    ours = {path.casefold(): path for path in written if path not in rendered.replaces}
    theirs = {PurePosixPath(name).as_posix().casefold() for name in named}
    for path in sorted(rendered.files):
        parts = PurePosixPath(path).parts
        above = {"/".join(parts[:depth]).casefold() for depth in range(1, len(parts))}
        below = f"{path.casefold()}/"
        if parts[0].casefold() in {STATE_FOLDER, ".git"}:
            yield f"`{path}`, which is no place for files of a project"
        elif theirs & {path.casefold(), *above} or any(name.startswith(below) for name in theirs):
            yield f"`{path}`, which is the spec's or named in it"
        elif twin := ours.get(path.casefold()):
            which = "" if twin == path else f" as `{twin}`"
            yield f"`{path}`, which trainspec writes as well{which}"
        elif above & ours.keys() or any(name.startswith(below) for name in ours):
            yield f"`{path}`, which makes a folder of a file of trainspec, or a file of a folder"
