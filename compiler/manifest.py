"""What was written last time: the state in `.trainspec/` that the next compile starts from."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from compiler.unsettled import NewerState, Unsettled

if TYPE_CHECKING:
    from compiler.overlay_pin import OverlayPin

__all__ = [
    "STATE_FOLDER",
    "Compiled",
    "CompiledStage",
    "Manifest",
    "belongs_to",
    "damaged",
    "in_the_way",
    "is_compiled",
    "plain_text",
    "read_manifest",
    "recorded_stack",
    "refuse_no_folder",
    "salvaged_base",
    "salvaged_unsettled",
    "state_files",
]

STATE_FOLDER = ".trainspec"
_MANIFEST = "manifest.json"
_BASE = "base"
_SCHEMA = "task.schema.json"
# The spec and its house file, as the last compile read them.
_SPEC, _HOUSE = "spec.toml", "house.toml"
_UNSETTLED, _ABANDONED, _DELETED = "unsettled", "abandoned", "deleted"
_FORMAT = 1
# What tools leave beside the Python files that they find there; no compile writes these.
_CACHES = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}


class Manifest(NamedTuple):
    """The last compile of a project: of which spec, by which version, and every text it wrote.

    `stages` are the methods of the stages by name, empty where an older trainspec did not note
    them. `unsettled` are the paths that wait for their owner, each with what it waits for:
    `markers` until its conflict markers are gone, `file` until the file is. `abandoned` and
    `deleted` are the last texts of files that are no longer written and that their owner had edited
    or deleted before: should they be written again, that still holds. `overlay` is None where the
    spec has none, and where it is a folder, which is read as it stands.
    """

    spec_name: str
    version: str
    stack: str
    base: Mapping[str, str]
    stages: Mapping[str, str] = MappingProxyType({})
    unsettled: Mapping[str, str] = MappingProxyType({})
    spec_text: str = ""
    house_text: str = ""
    abandoned: Mapping[str, str] = MappingProxyType({})
    deleted: Mapping[str, str] = MappingProxyType({})
    overlay: "OverlayPin | None" = None


class CompiledStage(NamedTuple):
    """A stage of the spec; `was` is the name that it says it had before."""

    name: str
    method: str
    was: str | None = None


class Compiled(NamedTuple):
    """What one compile made: the tree, its spec, and what else of the folder is the user's.

    `spec_text` is the spec as it was read, `house_text` the file that it extends; both are kept so
    that the next compile can say which of their lines made a change. `new_spec` are the spec's
    bytes where `--upgrade` changes its `stack` line. `modules` are the project's import names,
    `models` the folders of models that the spec names, `overlay_paths` what an overlay wrote.
    """

    tree: Mapping[str, str]
    spec_name: str
    named_files: tuple[str, ...]
    version: str
    stack: str
    schema: str
    stages: tuple[CompiledStage, ...] = ()
    spec_text: str = ""
    house_text: str = ""
    new_spec: bytes | None = None
    modules: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    overlay: "OverlayPin | None" = None
    overlay_paths: frozenset[str] = frozenset()


def damaged(what: str) -> Unsettled:
    """Give the refusal for a state folder that cannot be understood."""
    hint = (
        f"hint: bring `{STATE_FOLDER}/` back from version control, or let `trainspec adopt` "
        "rebuild it"
    )
    what = f"error: the state of this project is damaged: {what}"
    return Unsettled((what, "nothing was written", hint))


def refuse_no_folder(project: Path) -> None:
    """Raise `Unsettled` where something else stands in the place of the state folder."""
    state = project / STATE_FOLDER
    if state.is_symlink():
        message = f"`{STATE_FOLDER}` is a symbolic link"
        raise in_the_way(message)
    if state.exists() and not state.is_dir():
        message = f"`{STATE_FOLDER}` is not a folder"
        raise in_the_way(message)


def in_the_way(what: str) -> Unsettled:
    """Give the refusal for something that stands where a file or folder of the state belongs."""
    hint = f"hint: move it away; in `{STATE_FOLDER}/` a compile keeps what it wrote"
    return Unsettled((f"error: {what}", "nothing was written", hint))


def plain_text(data: bytes) -> str | None:
    """Give a file's text without BOM and with LF line ends, or None where it is not UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None


def is_compiled(project: Path) -> bool:
    """Whether a compile has written into this folder."""
    return (project / STATE_FOLDER / _MANIFEST).is_file()


def belongs_to(project: Path, spec_name: str) -> bool:
    """Whether the project in this folder is that of the spec of this name.

    A spec that is gone has most likely been renamed, and its project is the new one's.
    """
    recorded = _read_record(project / STATE_FOLDER / _MANIFEST)["spec"]
    return recorded == spec_name or not os.path.isfile(project / recorded)  # noqa: PTH113  # no ValueError


def read_manifest(project: Path) -> Manifest | None:
    """Read the state of a project; None where nothing was ever compiled there."""
    state = project / STATE_FOLDER
    path = state / _MANIFEST
    if not path.is_file():
        if (state / _BASE).exists():
            message = f"`{STATE_FOLDER}/{_BASE}` is there but `{STATE_FOLDER}/{_MANIFEST}` is not"
            raise damaged(message)
        return None
    record = _read_record(path)
    if not (state / _BASE).is_dir():
        message = f"`{STATE_FOLDER}/{_BASE}` is missing"
        raise damaged(message)
    return Manifest(
        record["spec"],
        record["trainspec"],
        record["stack"],
        _read_texts(state / _BASE),
        record.get("stages", {}),
        {path: text.strip() for path, text in _read_texts(state / _UNSETTLED).items()},
        spec_text=_read_text(state / _SPEC) if (state / _SPEC).exists() else "",
        house_text=_read_text(state / _HOUSE) if (state / _HOUSE).exists() else "",
        abandoned=_read_texts(state / _ABANDONED),
        deleted=_read_texts(state / _DELETED),
        overlay=_pin_of(record),
    )


def recorded_stack(project: Path, spec_name: str) -> str | None:
    """Give the stack of the last compile of this spec.

    None where there was none, or where its state is damaged: what is wrong with it, a compile says.
    """
    if not is_compiled(project):
        return None
    try:
        record = _read_record(project / STATE_FOLDER / _MANIFEST)
        return record["stack"] if belongs_to(project, spec_name) else None
    except Unsettled:
        return None


def salvaged_base(project: Path) -> dict[str, str | None]:
    """Read as much as there is of what was written last time; None for what cannot be read."""
    return _salvaged(project / STATE_FOLDER / _BASE)


def salvaged_unsettled(project: Path) -> dict[str, str | None]:
    """Read as much as there is of which paths wait for their owner; None for what is unreadable."""
    return _salvaged(project / STATE_FOLDER / _UNSETTLED)


def state_files(manifest: Manifest, schema: str) -> dict[str, str]:
    """Give each file of the state folder, by its path in the project."""
    # No hash and no list of paths: two branches that both compiled must merge without a conflict.
    # What waits is a file of its own for each path, for the same reason.
    record = {
        "format": _FORMAT,
        "spec": manifest.spec_name,
        "trainspec": manifest.version,
        "stack": manifest.stack,
        "stages": dict(manifest.stages),
    }
    if manifest.overlay is not None:
        record["overlay"] = manifest.overlay._asdict()
    texts = {_BASE: manifest.base, _ABANDONED: manifest.abandoned, _DELETED: manifest.deleted}
    files = {f"{name}/{path}": text for name in texts for path, text in texts[name].items()}
    files |= {f"{_UNSETTLED}/{path}": f"{what}\n" for path, what in manifest.unsettled.items()}
    files[_SCHEMA] = schema
    files[_SPEC] = manifest.spec_text
    if manifest.house_text:
        files[_HOUSE] = manifest.house_text
    files[_MANIFEST] = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    return {f"{STATE_FOLDER}/{name}": text for name, text in files.items()}


def _read_record(path: Path) -> dict[str, Any]:
    name = f"{STATE_FOLDER}/{_MANIFEST}"
    text = plain_text(path.read_bytes())
    try:
        record = json.loads(text or "")
    except (json.JSONDecodeError, RecursionError) as error:
        message = f"`{name}` is not JSON"
        raise damaged(message) from error
    match record:
        case {"format": int(number)} if number > _FORMAT:
            what = (
                f"error: a newer trainspec has compiled this project: `{name}` has format {number}"
            )
            hint = "hint: use that version, or a later one, for this project"
            raise NewerState((what, "nothing was written", hint))
        case {"format": 1, "spec": str(), "trainspec": str(), "stack": str()}:
            known = cast("dict[str, Any]", record)
            try:
                _pin_of(known)
            except ValueError as error:
                message = f"{error} in `{name}`"
                raise damaged(message) from error
            if isinstance(known.get("stages", {}), dict):
                return record
            message = f"`stages` of `{name}` is no table"
            raise damaged(message)
        case _:
            message = f"`{name}` lacks `format`, `spec`, `trainspec` or `stack`"
            raise damaged(message)


def _pin_of(record: dict[str, Any]) -> "OverlayPin | None":
    if "overlay" not in record:
        return None
    from compiler.overlay_pin import pin_of  # few projects have one

    return pin_of(record["overlay"])


def _read_texts(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): _read_text(path) for path in _files_below(folder)}


def _salvaged(folder: Path) -> dict[str, str | None]:
    texts: dict[str, str | None] = {}
    for path in _files_below(folder):
        name = path.relative_to(folder).as_posix()
        texts[name] = None
        with contextlib.suppress(Unsettled):
            texts[name] = _read_text(path)
    return texts


def _files_below(folder: Path) -> list[Path]:
    # What is neither a file nor a folder is among them, so that it is reported.
    return [
        path
        for path in sorted(folder.rglob("*"))
        if _CACHES.isdisjoint(path.relative_to(folder).parts)
        and (path.is_symlink() or not path.is_dir())
    ]


def _read_text(path: Path) -> str:
    name = f"{STATE_FOLDER}{path.as_posix().rpartition(STATE_FOLDER)[2]}"
    if path.is_symlink() or not path.is_file():
        message = f"`{name}` is no regular file"
        raise damaged(message)
    text = plain_text(path.read_bytes())
    if text is None:
        message = f"`{name}` is not UTF-8"
        raise damaged(message)
    return text
