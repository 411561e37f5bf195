"""Projects of a few short files: compiled, looked at, and killed while they are written."""

import os
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from compiler.apply import apply, preview
from compiler.changes import Changes
from compiler.manifest import Compiled, CompiledStage
from compiler.unsettled import Unsettled

SYSTEM_CALLS = ("replace", "rename", "unlink", "mkdir", "rmdir", "fsync", "chmod")


def compiled(
    tree: Mapping[str, str],
    *,
    named: tuple[str, ...] = (),
    stages: Sequence[CompiledStage] = (),
    spec_text: str = "spec = 1\n",
) -> Compiled:
    return Compiled(
        tree=tree,
        spec_name="task.toml",
        named_files=named,
        version="0.1.0",
        stack="trl-1.16",
        schema="{}\n",
        stages=tuple(stages),
        spec_text=spec_text,
        modules=tuple(path.removesuffix(".py") for path in tree if path.endswith(".py")),
    )


def new_project(folder: Path) -> Path:
    """A folder with a spec and nothing else."""
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text("spec = 1\n")
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """All files but those by which the last compile can be taken back."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".trainspec/undo/" not in path.as_posix()
    }


def visible(folder: Path) -> dict[str, str]:
    """The files of the project beside its spec and its state, as texts."""
    return {
        path: data.decode()
        for path, data in files_of(folder).items()
        if not path.startswith(".trainspec/") and path != "task.toml"
    }


def refusal(act: Callable[[], object]) -> str:
    """What `act` says when it refuses."""
    with pytest.raises(Unsettled) as caught:
        act()
    return "\n".join(caught.value.lines)


def killed_at(step: int, act: Callable[[], object]) -> bool:
    """Whether `act`, in a process of its own, died at its `step`-th change on the disk."""
    child = os.fork()
    if child == 0:
        calls = iter(range(1_000_000))
        for name in SYSTEM_CALLS:
            original = getattr(os, name)

            def counted(*args: object, original: Callable[..., object] = original, **kw: object):  # noqa: ANN202  # as many types as calls
                if next(calls) == step:
                    os._exit(9)
                return original(*args, **kw)

            setattr(os, name, counted)
        try:
            act()
        except BaseException:  # noqa: BLE001  # a second test run must not go on in here
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in {0, 9}
    return code == 9


def applied(
    project: Path, made: Compiled, *, here: bool = False, restore: Sequence[str] = ()
) -> Changes:
    """Compile into the project; asserts that what is said, before and after, is what happened."""
    before = files_of(project)
    foreseen = preview(project, made, here=here, restore=restore)
    assert files_of(project) == before
    changes = apply(project, made, here=here, restore=restore)
    assert changes == foreseen
    after = files_of(project)
    written = {
        path: after.get(path)
        for path in {*before, *after}
        if before.get(path) != after.get(path) and not path.startswith(".trainspec/")
    }
    assert written == {**changes.written, **_moved(changes, before)}
    for change in changes.entries:
        if not (project / change.path).is_symlink():
            assert change.before == before.get(change.path)
            assert change.after == after.get(change.path)
    return changes


def _moved(changes: Changes, before: Mapping[str, bytes]) -> dict[str, bytes | None]:
    """What the moves of folders do to the files in them."""
    written: dict[str, bytes | None] = {}
    for old, new in changes.moves:
        held = {path: data for path, data in before.items() if path.startswith(f"{old}/")}
        written |= dict.fromkeys(held)
        written |= {new + path.removeprefix(old): data for path, data in held.items()}
    return written
