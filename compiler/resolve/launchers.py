"""What starts run.sh on machines that are asked for: the script of a SLURM job, a SkyPilot task."""

import re

from compiler.memory import DEVICES
from compiler.plan.launch import SkyFile, SlurmFile
from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.serving import is_served
from compiler.resolve.version_set import packages_of_machine
from compiler.yaml_scalars import yaml_block, yaml_text
from spec_schema import TaskSpec
from spec_schema.launch import Skypilot, Slurm

__all__ = ["accelerators_of", "plan_launcher"]

# SkyPilot's names of the GPUs that some cloud offers by it (skypilot-catalog, v8,
# common/accelerators.csv, and `get_common_gpus` of skypilot 0.14.1); several where clouds differ.
ACCELERATORS = {
    "t4": ("T4",),
    "v100": ("V100",),
    "rtx-3060": ("RTX3060",),
    "rtx-3090": ("RTX3090",),
    "rtx-4090": ("RTX4090",),
    "rtx-5090": ("RTX5090",),
    "rtx-pro-6000": ("RTXPRO6000",),
    "a10g": ("A10G",),
    "l4": ("L4",),
    "a40": ("A40",),
    "a6000": ("A6000", "RTXA6000"),
    "l40s": ("L40S",),
    "a100-40gb": ("A100",),
    "a100-80gb": ("A100-80GB",),
    "h100": ("H100",),
    "h200": ("H200",),
    "b200": ("B200",),
    "mi300x": ("MI300X",),
}


def plan_launcher(inputs: Inputs, stages: tuple[StagePlan, ...]) -> PlannedFile:
    """The file of the launcher that the spec names."""
    server = inputs.spec.hardware.nodes > 1 and any(map(is_served, stages))
    if inputs.spec.hardware.launcher == "slurm":
        return PlannedFile("slurm.sh", "slurm.sh.jinja", _slurm(inputs.spec, server=server))
    context = _sky(inputs.spec, _installation(inputs), server=server)
    return PlannedFile("sky.yaml", "sky.yaml.jinja", context)


def accelerators_of(tier: str) -> tuple[str, ...]:
    """SkyPilot's names for a tier: of a memory class, those of the GPUs that have it.

    Empty where no cloud offers any. A class stands for GPUs that know bfloat16, as its plan does.
    """
    if tier in ACCELERATORS:
        return ACCELERATORS[tier]
    members = (each for each in DEVICES.values() if each.memory_class == tier)
    modern = (each.name for each in members if each.capability and each.capability >= (8, 0))
    return tuple(name for member in modern for name in ACCELERATORS.get(member, ()))


def _slurm(spec: TaskSpec, *, server: bool) -> SlurmFile:
    hardware, asked = spec.hardware, spec.hardware.slurm or Slurm()
    named = {"partition": asked.partition, "account": asked.account, "qos": asked.qos}
    options = [f"--job-name={spec.project.name}"]
    options += [f"--{option}={value}" for option, value in named.items() if value is not None]
    options += [f"--nodes={hardware.nodes}", "--ntasks-per-node=1"]
    if hardware.tier != "cpu":
        options.append(f"--gpus-per-node={hardware.gpus // hardware.nodes}")
    return SlurmFile(
        options=(*options, *asked.options, f"--time={asked.time}"),
        setup=tuple(line for each in asked.setup for line in _checked(each)),
        several_machines=hardware.nodes > 1,
        server=server,
    )


def _checked(line: str) -> tuple[str, ...]:
    """A line of shell; one that reads a file gets a word for ShellCheck, which looks for that."""
    if line.startswith((". ", "source ")):
        return ("# shellcheck disable=SC1091  # a file of the machine", line)
    return (line,)


def _sky(spec: TaskSpec, installation: tuple[str, ...], *, server: bool) -> SkyFile:
    hardware, asked = spec.hardware, spec.hardware.skypilot or Skypilot()
    names = accelerators_of(hardware.tier)
    each = hardware.gpus // hardware.nodes
    candidates = [f"{name}:{each}" for name in names]
    accelerators = candidates[0] if len(candidates) == 1 else f"{{{', '.join(candidates)}}}"
    outputs = asked.outputs
    in_bucket = outputs is not None and "://" in outputs
    return SkyFile(
        name=yaml_text(spec.project.name),
        infra=None if asked.infra is None else yaml_text(asked.infra),
        accelerators=accelerators if names else None,
        disk=asked.disk_gb,
        spot=asked.use_spot,
        nodes=hardware.nodes if hardware.nodes > 1 else None,
        server=server,
        bucket=yaml_text(outputs) if outputs is not None and in_bucket else None,
        volume=yaml_text(outputs) if outputs is not None and not in_bucket else None,
        secrets=_secrets(spec),
        setup=yaml_block(("set -e", *asked.setup, *installation), 2),
    )


def _installation(inputs: Inputs) -> tuple[str, ...]:
    """The lines that install what the project needs; SkyPilot's machines come with uv."""
    python = inputs.stack.python.removeprefix(">=").partition(",")[0]
    wanted = '".[vllm]"' if "vllm" in packages_of_machine(inputs) else "."
    return (
        f"uv venv --python {python} --allow-existing",
        "source .venv/bin/activate",
        f"uv pip install {wanted}",
    )


def _secrets(spec: TaskSpec) -> tuple[str, ...]:
    """The variables that hold keys: that of the tracker, and those of judges.

    What SkyPilot takes for the name of a variable; with another the judge finds no key.
    """
    judges = (reward for reward in spec.rewards.values() if reward.kind == "judge")
    keys = [judge.api_key_env for judge in judges if judge.api_key_env is not None]
    tracker = ["WANDB_API_KEY"] if spec.run.tracker == "wandb" else []
    names = dict.fromkeys((*tracker, *keys))
    return tuple(name for name in names if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name))
