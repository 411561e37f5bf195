"""What the language names and this version does not build, found so that it is never ignored."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast, get_args

from spec_schema.hardware import Tier

__all__ = ["Unbuilt", "find_unbuilt", "unbuilt_keys"]

KeyPath = tuple[str | int, ...]


class Unbuilt(NamedTuple):
    """One thing in a spec that is not built; what else is wrong under `path` follows from it."""

    path: KeyPath
    message: str
    hint: str
    in_value: bool


_NOT_BUILT = "is part of the language but not built in this version"
_LEAVE_OUT = "leave it out"
_NO_TOOLS = "tools, environments and images cannot be trained with in this version"

# Keys by their place (`*`: any name) and what to do without them.
_KEYS: tuple[tuple[str, str], ...] = (
    ("tools", _NO_TOOLS),
    ("environments", _NO_TOOLS),
    ("images", _NO_TOOLS),
    ("data.tools", _NO_TOOLS),
    ("data.images", _NO_TOOLS),
    ("stages.*.tools", _NO_TOOLS),
    ("stages.*.environments", _NO_TOOLS),
    ("model.special_tokens", "leave it out: tags are plain text, and need no token of their own"),
    ("model.trust_remote_code", "leave it out: only models that transformers knows are loaded"),
)

_GPU_NAME = r"(?i)(?!\d+gb$)(nvidia-|rtx|gtx|tesla|quadro|apple|mi|gh|gb|[abhlptv]-?\d).*"
# Before Volta torch has no kernels any more. A memory class is of NVIDIA's Ampere or newer, so that
# an older GPU or one of another maker is never sent there.
_BEFORE_VOLTA = r"(?i)(p\d+|gtx|tesla-?[mpk]).*"
_OF_AMD, _OF_APPLE = r"(?i)mi-?\d.*", r"(?i)(apple|m\d).*"
_OF_NO_CLASS = rf"(?i)(tesla-?)?(t4|v100|rtx-?20).*|{_OF_APPLE[4:]}"


def find_unbuilt(values: dict[str, Any]) -> Iterator[Unbuilt]:
    """Yield everything in a spec's values that belongs to the language and is not built."""
    for pattern, hint in _KEYS:
        for path, _ in _found(values, pattern):
            yield Unbuilt(path, _message(str(path[-1])), hint, in_value=False)
    for pattern, applies, what, hint in _SHAPES:
        for path, value in _found(values, pattern):
            if applies(path, value):
                yield Unbuilt(path, f"{what} {_NOT_BUILT}", hint, in_value=True)


def unbuilt_keys(path: KeyPath) -> tuple[str, ...]:
    """Name the keys of the table at `path` that belong to the language and are not built."""
    found: list[str] = []
    for pattern, _ in _KEYS:
        *table, key = pattern.split(".")
        if len(table) == len(path) and all(a in ("*", b) for a, b in zip(table, path, strict=True)):
            found.append(key)
    return tuple(found)


def _message(what: str) -> str:
    return f"`{what}` {_NOT_BUILT}"


def _found(values: dict[str, Any], pattern: str) -> Iterator[tuple[KeyPath, object]]:
    places: list[tuple[KeyPath, object]] = [((), values)]
    for part in pattern.split("."):
        places = [
            ((*path, key), inner)
            for path, value in places
            if isinstance(value, dict)
            for key, inner in cast("dict[str, object]", value).items()
            if part in ("*", key)
        ]
    yield from places


def _is_matched(value: object, names: str) -> bool:
    known = value in get_args(Tier)  # so that patterns are compiled only for other names
    return isinstance(value, str) and not known and re.fullmatch(names, value) is not None


def _is_unknown_gpu(_: KeyPath, value: object) -> bool:
    if not _is_matched(value, _GPU_NAME):
        return False
    others = (_BEFORE_VOLTA, _OF_AMD, _OF_NO_CLASS)
    # What is only written in another way, or lacks its memory, gets the name that it should have.
    names = [*get_args(Tier), *(name.rpartition("-")[0] for name in get_args(Tier))]
    near = {name.replace("-", "") for name in names}
    plain = re.sub(r"nvidia|[ _-]", "", str(value).lower())
    return plain not in near and not any(_is_matched(value, other) for other in others)


_Applies = Callable[[KeyPath, object], bool]

# What is recognised by the form of its value: where, how, what it is, what to do without it.
_SHAPES: tuple[tuple[str, _Applies, str, str], ...] = (
    (
        "hardware.tier",
        lambda _, value: _is_matched(value, _BEFORE_VOLTA),
        "a GPU before Volta as `tier`",
        "name one of compute capability 7.0 or newer, such as `t4`",
    ),
    (
        "hardware.tier",
        lambda _, value: _is_matched(value, _OF_AMD),
        "another GPU of AMD than MI300X as `tier`",
        "name `mi300x`, and as `reserve_gb` what yours has less than its 192 GiB",
    ),
    ("hardware.tier", _is_unknown_gpu, "this GPU's name as `tier`", "name its memory class"),
)
