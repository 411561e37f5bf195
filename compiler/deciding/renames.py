"""Which paths of a project go on under another name, because its spec or trainspec renamed them."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from compiler.changes import Move
from compiler.manifest import CompiledStage

__all__ = ["RENAMED_FILES", "followed_folders", "followed_paths", "renamed_stages"]

# Files that a newer trainspec writes under another name than an older one: the old path and the
# new. Kept for ever: a project may skip any number of releases.
RENAMED_FILES: Mapping[str, str] = {}


def renamed_stages(before: Mapping[str, str], now: Sequence[CompiledStage]) -> dict[str, str]:
    """Pair stages of the last compile, methods by name, with those that they became, by old name.

    A stage says so with `was`; without it, where exactly one stage left, exactly one came, and it
    has the method of the one that left.
    """
    names = {stage.name for stage in now}
    pairs = {
        stage.was: stage.name
        for stage in now
        if stage.was is not None
        and stage.was in before
        and stage.was not in names
        and stage.name not in before
    }
    left = [name for name in before if name not in names and name not in pairs]
    came = [stage for stage in now if stage.name not in before and stage.name not in pairs.values()]
    # One alone, for what a rename takes along would not come back from a less certain one.
    if len(left) == len(came) == 1 and came[0].method == before[left[0]]:
        pairs[left[0]] = came[0].name
    return pairs


def followed_paths(
    base: Iterable[str], tree: Iterable[str], stages: Mapping[str, str]
) -> dict[str, str]:
    """Give each path of the tree that follows one of the base, with the path that it follows."""
    gone, fresh = set(base) - set(tree), set(tree) - set(base)
    of_stages = {f"train_{old}.py": f"train_{new}.py" for old, new in stages.items()}
    found: dict[str, str] = {}
    for old in sorted(gone):
        new = of_stages.get(old) or RENAMED_FILES.get(old)
        # A file may have been renamed more than once since the project was compiled.
        for _ in RENAMED_FILES:
            new = RENAMED_FILES.get(new or "", new) if new not in fresh else new
        if new in fresh:
            found[new] = old
    return found


def followed_folders(project: Path, stages: Mapping[str, str]) -> tuple[list[Move], list[str]]:
    """Give the folders of results that go on under their stages' new names.

    Those that cannot be moved are told in sentences.
    """
    moves: list[Move] = []
    notes: list[str] = []
    for old, new in stages.items():
        move = Move(f"outputs/{old}", f"outputs/{new}")
        reason = _why_it_stays(project, move)
        if reason:
            notes.append(f"`{move.old}` stays where it is: {reason}; rename it to `{move.new}`")
        elif os.path.lexists(project / move.old):
            moves.append(move)
    return moves, notes


def _why_it_stays(project: Path, move: Move) -> str:
    outputs, old = project / "outputs", project / move.old
    if not os.path.lexists(old):
        return ""
    if outputs.is_symlink():
        return "`outputs` is a symbolic link, and nothing outside the project is changed"
    if os.path.lexists(project / move.new):
        return f"`{move.new}` is there already"
    return "it is a mount" if old.is_mount() else ""
