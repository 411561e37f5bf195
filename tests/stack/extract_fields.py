"""Write the table of TRL's config fields that the compiler reads, from the installed release.

    python tests/stack/extract_fields.py                     # writes compiler/stack/trl-1.16.json
    python tests/stack/extract_fields.py --output table.json

Run it where the release of the table is installed; `test_stack.py` holds the two together.
"""

import argparse
import dataclasses
import enum
import importlib
import json
import pathlib
import sys
import types
import typing
from importlib import metadata

__all__ = ["STACK", "TRL_RELEASE", "extract", "render_table"]

STACK = "trl-1.16"
TRL_RELEASE = "1.16.0"
TABLE = pathlib.Path(__file__).parents[2] / "compiler" / "stack" / f"{STACK}.json"

CONFIGS = {
    "sft": "SFTConfig",
    "reward": "RewardConfig",
    "dpo": "DPOConfig",
    "kto": "KTOConfig",
    "grpo": "GRPOConfig",
    "rloo": "RLOOConfig",
}

# How far a package may move above the release that the table was taken from: the config classes
# change with every minor release of these, and with major ones of the others.
MOVES = {
    "accelerate": "major",
    "datasets": "major",
    "peft": "minor",
    "torch": "major",
    "transformers": "minor",
    "trl": "minor",
}

# For the other fields a text is the command line's way to write a table; these also take the path
# of a JSON file (transformers/training_args.py:1652, 2782; accelerate/utils/deepspeed.py:142).
FIELDS_WITH_A_PATH = frozenset({"accelerator_config", "deepspeed", "fsdp_config"})

PLAIN_TYPES = {bool: "bool", int: "int", float: "float", str: "str", dict: "dict"}


def extract() -> dict[str, typing.Any]:
    """Return the table as JSON values, read from the config classes that are installed."""
    trl = importlib.import_module("trl")
    base = importlib.import_module("trl.trainer.base_config")._BaseConfig  # noqa: SLF001 - no public name holds the fields that all configs share
    shared = _fields_of(base)
    own: dict[str, dict[str, typing.Any]] = {}
    for method, class_name in CONFIGS.items():
        fields = _fields_of(getattr(trl, class_name))
        if missing := shared.keys() - fields.keys():
            message = f"{class_name} lacks the shared fields {sorted(missing)}"
            raise ValueError(message)
        own[method] = {name: entry for name, entry in fields.items() if shared.get(name) != entry}
    return {
        "stack": STACK,
        "python": metadata.metadata("trl")["Requires-Python"],
        "packages": {name: _package(name, moves) for name, moves in MOVES.items()},
        "configs": CONFIGS,
        "shared": shared,
        "own": own,
    }


def render_table(table: dict[str, typing.Any]) -> str:
    """Return the table as JSON text with one field a line, so that a diff reads field by field."""
    return _block(table, levels={"packages": 1, "shared": 1, "own": 2}) + "\n"


def _block(value: dict[str, typing.Any], levels: dict[str, int], indent: str = "") -> str:
    lines = [
        f"{indent}  {json.dumps(key)}: {_entry(key, entry, levels, indent + '  ')}"
        for key, entry in value.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}"


def _entry(key: str, entry: object, levels: dict[str, int], indent: str) -> str:
    if isinstance(entry, dict) and levels.get(key, 0) > 0:
        table = typing.cast("dict[str, typing.Any]", entry)
        return _block(table, dict.fromkeys(table, levels[key] - 1), indent)
    return json.dumps(entry)


def _package(name: str, moves: str) -> dict[str, str]:
    tested = metadata.version(name).partition("+")[0]
    major, minor, *_ = tested.split(".")
    above = f"{major}.{int(minor) + 1}" if moves == "minor" else f"{int(major) + 1}"
    return {"tested": tested, "requires": f">={major}.{minor},<{above}"}


def _fields_of(config: type) -> dict[str, dict[str, typing.Any]]:
    hints = typing.get_type_hints(config)
    fields = sorted(dataclasses.fields(config), key=lambda field: field.name)
    return {field.name: _field(field, hints[field.name]) for field in fields if field.init}


def _field(field: dataclasses.Field[typing.Any], hint: object) -> dict[str, typing.Any]:
    members = _members(field, hint)
    entry: dict[str, typing.Any] = {"type": _type(field.name, hint, is_enum=bool(members))}
    if members:
        entry["members"] = members
    default = field.default
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    entry["default"] = default.value if isinstance(default, enum.Enum) else default
    return entry


def _members(field: dataclasses.Field[typing.Any], hint: object) -> list[str]:
    for part in _parts(hint):
        if isinstance(part, type) and issubclass(part, enum.Enum):
            return [member.value for member in part]
    return list(field.metadata.get("choices") or ())


def _parts(hint: object) -> tuple[object, ...]:
    if typing.get_origin(hint) in {typing.Union, types.UnionType}:
        return typing.get_args(hint)
    return (hint,)


def _type(name: str, hint: object, *, is_enum: bool) -> str:
    words = {_word(part) for part in _parts(hint)}
    if is_enum:
        words = (words - {"str"}) | {"enum"}
    if "dict" in words and name not in FIELDS_WITH_A_PATH:
        words -= {"str"}
    return "|".join(sorted(words - {"null"})) + ("|null" if "null" in words else "")


def _word(part: object) -> str:
    origin = typing.get_origin(part)
    if isinstance(part, type) and issubclass(part, enum.Enum):
        return "enum"
    if part is type(None):
        return "null"
    if origin is typing.Literal and typing.get_args(part) == (False,):
        return "false"
    if origin is dict:
        return "dict"
    if origin in {list, tuple}:
        return f"list[{_item_word(typing.get_args(part))}]"
    if isinstance(part, type):
        return PLAIN_TYPES.get(part, "object")
    message = f"no word for the type {part!r}"
    raise TypeError(message)


def _item_word(items: tuple[object, ...]) -> str:
    words = {_word(item) for item in items}
    # A list of an enum's members is written as texts.
    return "str" if words == {"enum"} else "|".join(sorted(words))


def main() -> None:
    """Write the table of the installed release, or refuse another release than the table's."""
    parser = argparse.ArgumentParser(description="extract TRL's config fields")
    parser.add_argument("--output", type=pathlib.Path, default=TABLE)
    output = parser.parse_args().output
    installed = metadata.version("trl")
    if installed != TRL_RELEASE:
        sys.exit(f"{STACK} is taken from trl {TRL_RELEASE}, but trl {installed} is installed")
    output.write_text(render_table(extract()), encoding="utf-8")


if __name__ == "__main__":
    main()
