"""What was written last time: the state in `.trainspec/` that the next compile starts from."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from compiler.unsettled import Unsettled

__all__ = [
    "STATE_FOLDER",
    "Compiled",
    "Manifest",
    "belongs_to",
    "damaged",
    "is_compiled",
    "plain_text",
    "read_manifest",
    "state_files",
]

STATE_FOLDER = ".trainspec"
_MANIFEST = "manifest.json"
_BASE = "base"
_SCHEMA = "task.schema.json"
_FORMAT = 1
# What tools leave beside the Python files that they find there; no compile writes these.
_CACHES = {"__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}


class Manifest(NamedTuple):
    """The last compile of a project: of which spec, by which version, and every text it wrote."""

    spec_name: str
    version: str
    stack: str
    base: Mapping[str, str]


class Compiled(NamedTuple):
    """What one compile made: the tree, its spec, and what else of the folder is the user's."""

    tree: Mapping[str, str]
    spec_name: str
    named_files: tuple[str, ...]
    version: str
    stack: str
    schema: str


def damaged(what: str) -> Unsettled:
    """Give the refusal for a state folder that cannot be understood."""
    hint = (
        f"hint: bring `{STATE_FOLDER}/` back from version control; `trainspec adopt`, which will "
        "rebuild it, is not built in this version"
    )
    what = f"error: the state of this project is damaged: {what}"
    return Unsettled((what, "nothing was written", hint))


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
    return Manifest(record["spec"], record["trainspec"], record["stack"], _read_base(state / _BASE))


def state_files(manifest: Manifest, schema: str) -> dict[str, str]:
    """Give each file of the state folder, by its path in the project."""
    # No hash and no list of paths: two branches that both compiled must merge without a conflict.
    record = {
        "format": _FORMAT,
        "spec": manifest.spec_name,
        "trainspec": manifest.version,
        "stack": manifest.stack,
    }
    files = {f"{STATE_FOLDER}/{_BASE}/{path}": text for path, text in manifest.base.items()}
    files[f"{STATE_FOLDER}/{_SCHEMA}"] = schema
    files[f"{STATE_FOLDER}/{_MANIFEST}"] = json.dumps(record, indent=2) + "\n"
    return files


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
            message = f"`{name}` has format {number}, written by a newer trainspec"
            raise damaged(message)
        case {"format": 1, "spec": str(), "trainspec": str(), "stack": str()}:
            return record
        case _:
            message = f"`{name}` lacks `format`, `spec`, `trainspec` or `stack`"
            raise damaged(message)


def _read_base(folder: Path) -> dict[str, str]:
    base: dict[str, str] = {}
    if not folder.is_dir():
        message = f"`{STATE_FOLDER}/{_BASE}` is missing"
        raise damaged(message)
    for path in sorted(folder.rglob("*")):
        if not _CACHES.isdisjoint(path.relative_to(folder).parts):
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            message = f"`{path.relative_to(folder.parent.parent).as_posix()}` is no regular file"
            raise damaged(message)
        if path.is_dir():
            continue
        text = plain_text(path.read_bytes())
        if text is None:
            message = f"`{path.relative_to(folder.parent.parent).as_posix()}` is not UTF-8"
            raise damaged(message)
        base[path.relative_to(folder).as_posix()] = text
    return base
