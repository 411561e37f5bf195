"""Binds the calls of generated scripts to the signatures of the installed Unsloth.

`python bind_calls.py FOLDER...`, in an environment that has Unsloth: reads the scripts of each
project and imports them, and writes as JSON what does not bind, what was bound, and which defaults
of TRL have become others.

Unsloth is imported as on a GPU (`UNSLOTH_ALLOW_CPU`): its classes are those for GPUs, and its
rewriting of TRL's trainers, which it leaves out then, is called here.
"""

import ast
import dataclasses
import importlib
import inspect
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

METHODS = ("SFT", "DPO", "KTO", "GRPO", "RLOO")
Signatures = dict[str, Callable[..., Any]]


def main() -> None:
    os.environ["UNSLOTH_ALLOW_CPU"] = "1"
    before = {method: defaults(method) for method in METHODS}
    unsloth: Any = importlib.import_module("unsloth")
    for method in METHODS:
        rewrite = unsloth.models.rl._patch_trl_rl_trainers_impl  # noqa: SLF001  # see above
        rewrite(f"{method.lower()}_trainer")
    # What a call passes on: arguments that its own signature does not name.
    passed_on = {f"{method}Config": set(fields) for method, fields in before.items()}
    lora = importlib.import_module("peft").LoraConfig
    passed_on["get_peft_model"] = set(inspect.signature(lora).parameters)
    calls = signatures()
    faults: list[str] = []
    bound: Counter[str] = Counter()
    for folder in map(Path, sys.argv[1:]):
        import_scripts(folder)
        for path in sorted((*folder.glob("train_*.py"), folder / "stages.py")):
            for name, call in known_calls(path, calls):
                bound[name] += 1
                where = f"{folder.name}/{path.name}:{call.lineno}: {name}"
                wrong = misfits(calls[name], call, passed_on.get(name, set()))
                faults += [f"{where}: {fault}" for fault in wrong]
    changed = {method: differences(before[method], method) for method in METHODS}
    report = {"faults": faults, "bound": bound, "defaults": changed}
    sys.stdout.write(f"\n{json.dumps(report)}\n")


def trl_class(name: str) -> Any:  # noqa: ANN401  # of an environment that the type checker lacks
    """A class of TRL as it is now: Unsloth puts others in their places."""
    return getattr(importlib.import_module("trl"), name)


def signatures() -> Signatures:
    """What a script may call, by the end of its name."""
    unsloth: Any = importlib.import_module("unsloth")
    found: Signatures = {
        "from_pretrained": inspect.unwrap(unsloth.FastLanguageModel.from_pretrained),
        "get_peft_model": inspect.unwrap(unsloth.FastLanguageModel.get_peft_model),
        "save_pretrained_merged": unsloth.save.unsloth_generic_save_pretrained_merged,
    }
    for method in METHODS:
        found[f"{method}Config"] = trl_class(f"{method}Config").__init__
        found[f"{method}Trainer"] = initialiser(trl_class(f"{method}Trainer"))
    return found


def initialiser(trainer: type) -> Callable[..., Any]:
    """The one that names its parameters: wrappers in front of it take any."""
    own = (each.__dict__["__init__"] for each in trainer.__mro__ if "__init__" in each.__dict__)
    unwrapped = map(inspect.unwrap, own)
    return next(each for each in unwrapped if "model" in inspect.signature(each).parameters)


def defaults(method: str) -> dict[str, Any]:
    """The fields of TRL's config, with their defaults."""
    return {field.name: field.default for field in dataclasses.fields(trl_class(f"{method}Config"))}


def differences(before: dict[str, Any], method: str) -> list[str]:
    """The fields whose defaults Unsloth has changed."""
    now = inspect.signature(trl_class(f"{method}Config").__init__).parameters
    return [
        name
        for name, value in before.items()
        if name in now
        and value is not dataclasses.MISSING
        and repr(value) != repr(now[name].default)
    ]


def import_scripts(folder: Path) -> None:
    """Import each training script of a project, and forget the project's modules again."""
    sys.path.insert(0, str(folder))
    for path in sorted(folder.glob("train_*.py")):
        importlib.import_module(path.stem)
    sys.path.pop(0)
    for name in {path.stem for path in folder.glob("*.py")} & set(sys.modules):
        del sys.modules[name]


def known_calls(path: Path, calls: Signatures) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a file that have a signature here, but for loading by other classes."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            owner, _, name = ast.unparse(node.func).rpartition(".")
            if name in calls and (name != "from_pretrained" or owner == "FastLanguageModel"):
                yield name, node


def misfits(function: Callable[..., Any], call: ast.Call, passed_on: set[str]) -> list[str]:
    """Why a call does not bind; an argument that only `**kwargs` takes has to be passed on."""
    signature = inspect.signature(function)
    given = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
    positions = len(call.args) + ("self" in signature.parameters)
    try:
        signature.bind(*[None] * positions, **dict.fromkeys(given))
    except TypeError as error:
        return [str(error)]
    named = {each.name for each in signature.parameters.values() if each.kind != each.VAR_KEYWORD}
    return [f"no parameter {name}" for name in given if name not in named | passed_on]


if __name__ == "__main__":
    main()
