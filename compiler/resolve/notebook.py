"""notebook.ipynb: the project in the cells of one file, for a host that lends a GPU."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from compiler.literals import literal, text_literal
from compiler.plan.notebook import NotebookFile, NotebookPage
from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.plan.texts import PlanPage, ReadmePage
from compiler.resolve.export import answer_tokens, policy_chain
from compiler.resolve.graded import has_ideal
from compiler.resolve.inputs import Inputs
from compiler.resolve.paths import material_files
from compiler.resolve.stage_rows import stage_prompts
from spec_schema import TaskSpec

__all__ = ["NOTEBOOK", "plan_notebook"]

NOTEBOOK = "notebook.ipynb"
# What the hosts call the GPUs that they lend: Colab in `gpuType`, Kaggle in `accelerator`.
COLAB = {"t4": "T4", "l4": "L4", "a100-40gb": "A100", "a100-80gb": "A100", "h100": "H100"}
KAGGLE = {"t4": "nvidiaTeslaT4"}
# Files of the project that say what is learnt; people look at them and change them.
TASK = ("prompts.py", "answers.py", "rewards.py", "data.py")
# How the names of the files end that the scripts import or read.
READ = (".py", ".css", ".jinja")
LARGEST = 2**20  # bytes of the user's own files in all: hosts open no notebook of many megabytes
_PLAIN_PATH = re.compile(r"[\w./-]+", re.ASCII)


def plan_notebook(
    inputs: Inputs,
    stages: tuple[StagePlan, ...],
    files: tuple[PlannedFile, ...],
    pages: tuple[ReadmePage, PlanPage],
    folder: Path,
) -> PlannedFile:
    """The notebook, which writes these files of the project and those of the user's that fit."""
    readme, page = pages
    spec = inputs.spec
    own = _held(inputs, folder)
    written = {file.path for file in files}
    rest = (path for path in written if _is_read(path) and path not in TASK)
    shared = spec.data.train is not None
    policies = policy_chain(stages)
    load, prompts = stage_prompts(inputs, (policies or stages)[-1].name)
    return PlannedFile(
        NOTEBOOK,
        "notebook.md.jinja",
        NotebookPage(
            metadata=json.dumps(_metadata(spec.hardware.tier), indent=1),
            readme=readme,
            stages=page.stages,
            machine=page.machine[0],
            choice=_choice(spec.hardware.tier),
            gpu=spec.hardware.tier != "cpu",
            install="'.[vllm]'" if _samples_with_vllm(stages) else ".",
            folders=" ".join(map(shlex.quote, _folders(material_files(inputs)))),
            keys=tuple(map(text_literal, _keys(spec))),
            uploads=tuple(text_literal(p) for p in material_files(inputs) if p not in own),
            task=(*map(_file, own), *(_file(path) for path in TASK if path in written)),
            machinery=tuple(map(_file, sorted(rest))),
            load="load_train" if shared else load,
            own_prompts=None if shared else prompts,
            ideal=shared and has_ideal(inputs),
            scored=shared and "rewards.py" in written,
            exports=bool(policies),
            answer_tokens=literal(answer_tokens(policies)),
        ),
    )


def _samples_with_vllm(stages: tuple[StagePlan, ...]) -> bool:
    rollouts = (stage.mechanics.rollout for stage in stages)
    return any(rollout is not None and rollout.engine != "transformers" for rollout in rollouts)


def _is_read(path: str) -> bool:
    """Whether a script imports or reads this file of the project, and no stage is trained by it."""
    script = path.startswith("train_")
    return "/" not in path and path.endswith(READ) and not script


def _held(inputs: Inputs, folder: Path) -> tuple[str, ...]:
    """The files of the user's that a cell can write: text under a plain path, and not too much."""
    held: list[str] = []
    left = LARGEST
    for path in material_files(inputs):
        file = folder / path
        if not _PLAIN_PATH.fullmatch(path) or not file.is_file() or file.stat().st_size > left:
            continue
        data = file.read_bytes()
        # A cell magic without a body is refused, and a cell is text.
        if data.strip() and _is_text(data):
            held.append(path)
            left -= len(data)
    return tuple(held)


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _folders(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The folders that these files lie in, each once."""
    parents = (str(PurePosixPath(path).parent) for path in paths)
    return tuple(dict.fromkeys(parent for parent in parents if parent != "."))


def _file(path: str) -> NotebookFile:
    plain = path.removeprefix("./").removesuffix(".py")
    return NotebookFile("file-" + re.sub(r"[^\w-]+", "-", plain, flags=re.ASCII), path)


def _keys(spec: TaskSpec) -> Iterator[str]:
    """The environment variables in which the project looks for keys of services, each once."""
    named = (each.api_key_env for each in spec.rewards.values() if each.kind == "judge")
    tracking = ("WANDB_API_KEY",) if spec.run.tracker == "wandb" else ()
    yield from dict.fromkeys((*(name for name in named if name is not None), *tracking))


def _metadata(tier: str) -> dict[str, Any]:
    """What Jupyter, Colab and Kaggle read of a notebook before they run it."""
    kernel = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    hosts: dict[str, Any] = {} if tier == "cpu" else {"accelerator": "GPU"}
    if tier in COLAB:
        hosts["colab"] = {"gpuType": COLAB[tier]}
    if tier in KAGGLE:
        own = {"accelerator": KAGGLE[tier], "isGpuEnabled": True, "isInternetEnabled": True}
        hosts["kaggle"] = own
    return {**kernel, **hosts}


def _choice(tier: str) -> str:
    """How a person asks for the GPU."""
    if tier == "cpu":
        return "It needs no GPU."
    if tier not in COLAB:
        return "Open it where there is such a GPU."
    colab = f"In Colab choose *Runtime > Change runtime type > {COLAB[tier]} GPU*"
    if tier not in KAGGLE:
        return f"{colab}."
    return f"{colab}; in Kaggle *GPU T4 x2* as accelerator, and turn the internet on."
