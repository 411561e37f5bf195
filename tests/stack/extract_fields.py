"""Write the table of TRL's config fields that the compiler reads, from the installed release.

    python tests/stack/extract_fields.py                     # writes compiler/stack/trl-1.16.json
    python tests/stack/extract_fields.py --variant vllm      # and in what that set differs from it
    python tests/stack/extract_fields.py --output table.json

Run it where the releases of the version set are installed, which `make fields` does for each;
`test_variants.py` holds the two together.
"""

import argparse
import dataclasses
import enum
import importlib
import json
import pathlib
import sys
import tomllib
import types
import typing
from importlib import metadata

__all__ = ["differences", "extract", "render_table"]

STACK = "trl-1.16"
FOLDER = pathlib.Path(__file__).parents[2] / "compiler" / "stack"

CONFIGS = {
    "sft": "SFTConfig",
    "reward": "RewardConfig",
    "dpo": "DPOConfig",
    "kto": "KTOConfig",
    "grpo": "GRPOConfig",
    "rloo": "RLOOConfig",
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
        "configs": CONFIGS,
        "shared": shared,
        "own": own,
    }


def differences(
    plain: dict[str, typing.Any], table: dict[str, typing.Any]
) -> dict[str, typing.Any]:
    """Return what a table has of its own beside the plain one; null for a field that it lacks."""
    if plain["configs"] != table["configs"]:
        message = "the variants of a stack have the same config classes"
        raise ValueError(message)
    own = {
        method: _changed(plain["own"][method], fields) for method, fields in table["own"].items()
    }
    return {
        "shared": _changed(plain["shared"], table["shared"]),
        "own": {method: changed for method, changed in own.items() if changed},
    }


def _changed(plain: dict[str, typing.Any], fields: dict[str, typing.Any]) -> dict[str, typing.Any]:
    names = sorted(plain.keys() | fields.keys())
    return {name: fields.get(name) for name in names if plain.get(name) != fields.get(name)}


def render_table(table: dict[str, typing.Any]) -> str:
    """Return the table as JSON text with one field a line, so that a diff reads field by field."""
    return _block(table, levels={"shared": 1, "own": 2}) + "\n"


def _block(value: dict[str, typing.Any], levels: dict[str, int], indent: str = "") -> str:
    lines = [
        f"{indent}  {json.dumps(key)}: {_entry(key, entry, levels, indent + '  ')}"
        for key, entry in value.items()
    ]
    return "{\n" + ",\n".join(lines) + f"\n{indent}}}" if lines else "{}"


def _entry(key: str, entry: object, levels: dict[str, int], indent: str) -> str:
    if isinstance(entry, dict) and levels.get(key, 0) > 0:
        table = typing.cast("dict[str, typing.Any]", entry)
        return _block(table, dict.fromkeys(table, levels[key] - 1), indent)
    return json.dumps(entry)


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


def _check_releases(variant: str) -> None:
    """Exit where a package is installed in another release than that of the version set."""
    versions = tomllib.loads((FOLDER / f"{STACK}.toml").read_text(encoding="utf-8"))[variant]
    for name in sorted({"accelerate", "peft", "torch", "transformers", "trl"}):
        tested, installed = versions["packages"][name]["tested"], metadata.version(name)
        if installed.partition("+")[0] != tested:
            sys.exit(f"the set {variant} has {name} {tested}, but {installed} is installed")


def main() -> None:
    """Write the table of the installed releases, or refuse others than the version set's."""
    parser = argparse.ArgumentParser(description="extract TRL's config fields")
    parser.add_argument("--variant", default="plain", choices=("plain", "vllm", "unsloth"))
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    _check_releases(arguments.variant)
    table, plain = extract(), FOLDER / f"{STACK}.json"
    path = plain
    if arguments.variant != "plain":
        table = differences(json.loads(plain.read_bytes()), table)
        path = FOLDER / f"{STACK}-{arguments.variant}.json"
    (arguments.output or path).write_text(render_table(table), encoding="utf-8")


if __name__ == "__main__":
    main()
