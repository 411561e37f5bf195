"""Write which release of TRL first and last had each config field, from wheels of its releases.

    pip download --no-deps --only-binary :all: -d wheels trl==0.28.0    # one for each minor release
    python tests/lint/extract_releases.py wheels             # writes compiler/lint/releases.json

The parameters of the trainers are those of the newest wheel; `test_tables.py` holds them against
the installed release.
"""

import ast
import importlib.util
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["METHODS", "trainer_parameters"]

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "compiler/lint/releases.json"
METHODS = ("sft", "reward", "dpo", "kto", "grpo", "rloo")


def trainer_parameters(source: str, method: str) -> list[str]:
    """The parameters of a trainer's constructor, as its module writes them."""
    [found] = [
        function
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name.lower() == f"{method}trainer"
        for function in node.body
        if isinstance(function, ast.FunctionDef) and function.name == "__init__"
    ]
    return [argument.arg for argument in (*found.args.args[1:], *found.args.kwonlyargs)]


def fields(archive: zipfile.ZipFile, config: str) -> Iterator[str]:
    """The fields that a config class itself declares, wherever in `trl/trainer` it stands."""
    for name in archive.namelist():
        if re.fullmatch(r"trl/trainer/\w+_config\.py", name):
            for node in ast.parse(archive.read(name)).body:
                if isinstance(node, ast.ClassDef) and node.name == config:
                    for entry in node.body:
                        if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
                            yield entry.target.id


def inherited() -> Iterator[str]:
    """The fields of `transformers.TrainingArguments`, read off the installed source."""
    spec = importlib.util.find_spec("transformers")
    assert spec is not None
    assert spec.origin is not None
    source = Path(spec.origin).with_name("training_args.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == "TrainingArguments":
            for entry in node.body:
                if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
                    yield entry.target.id


def release(wheel: Path) -> tuple[int, int]:
    major, minor = wheel.name.split("-")[1].split(".")[:2]
    return int(major), int(minor)


def main(folder: Path) -> None:
    """Read the wheels, oldest first, and write the table."""
    stack = json.loads((ROOT / "compiler/stack/trl-1.16.json").read_text(encoding="utf-8"))
    since: dict[str, dict[str, str]] = {method: {} for method in METHODS}
    until: dict[str, dict[str, str]] = {method: {} for method in METHODS}
    trainers: dict[str, list[str]] = {}
    for wheel in sorted(folder.glob("trl-*.whl"), key=release):
        archive = zipfile.ZipFile(wheel)
        version = ".".join(map(str, release(wheel)))
        for method in METHODS:
            now = set(fields(archive, stack["configs"][method]))
            is_first = not until[method]
            for name in now:
                until[method][name] = version
                since[method].setdefault(name, "" if is_first else version)
            source = f"trl/trainer/{method}_trainer.py"
            if source in archive.namelist():
                trainers[method] = trainer_parameters(archive.read(source).decode(), method)
    # What TRL only gives another default was always a field, by inheritance.
    old = {field for field in inherited() if not field.startswith("activation_checkpointing")}
    present = {method: {*stack["shared"], *stack["own"][method]} for method in METHODS}
    table = {
        "trainers": trainers,
        "since": {
            method: {
                name: version
                for name, version in sorted(since[method].items())
                if version and name in present[method] - old
            }
            for method in METHODS
        },
        "until": {
            method: {
                name: version
                for name, version in sorted(until[method].items())
                if name not in present[method]
            }
            for method in METHODS
        },
    }
    TABLE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
