"""How a run is started, as README.md and PLAN.md say it."""

import textwrap

from compiler.markdown import inline
from compiler.plan.mechanics import Sharding
from compiler.plan.stages import StagePlan
from compiler.resolve.arithmetic import counted
from compiler.resolve.inputs import Inputs
from compiler.resolve.launch import launch_command, machines_of
from spec_schema import TaskSpec
from spec_schema.launch import Skypilot

__all__ = ["launch_lines", "start_command", "start_lines"]

LINE = 116  # characters, as the rest of README.md has
STARTS = {
    "local": "bash run.sh",
    "slurm": "sbatch slurm.sh",
    "skypilot": "sky jobs launch sky.yaml",
}
SHARED: dict[Sharding, str] = {
    "none": "each of these holds the whole model (data parallel)",
    "zero2": "they share out gradients and optimizer states (DeepSpeed ZeRO-2)",
    "zero3": "they share out weights, gradients and optimizer states (DeepSpeed ZeRO-3)",
    "fsdp2": "they share out weights, gradients and optimizer states (FSDP2)",
}


def start_command(spec: TaskSpec) -> str:
    """The command that runs all stages."""
    return STARTS[spec.hardware.launcher]


def start_lines(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    """What README.md adds on runs with several GPUs, and on those of a launcher."""
    hardware = inputs.spec.hardware
    lines: list[str] = []
    if hardware.gpus > 1 and hardware.nodes == 1:
        lines.append(
            "A training script needs a process for each GPU, as `run.sh` starts it: "
            f"`{launch_command(inputs, stages[-1])}`."
        )
    if hardware.launcher == "slurm":
        lines.append(_slurm(inputs.spec))
    elif hardware.launcher == "skypilot":
        lines.append(_sky(hardware.skypilot or Skypilot()))
    return tuple(textwrap.fill(line, LINE, break_on_hyphens=False) for line in lines)


def launch_lines(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    """What PLAN.md says of the processes that train; nothing where there is one."""
    spec = inputs.spec
    if spec.hardware.gpus == 1:
        return ()
    shared = SHARED[stages[0].mechanics.sharding]
    lines = [f"Each GPU that trains has a process, and {shared}."]
    for stage in stages:
        processes, machines = stage.batch.processes, machines_of(spec, stage)
        where = f" of {machines} machines" if machines > 1 else ""
        served = ""
        if stage.mechanics.vllm is not None and stage.mechanics.vllm.gpus:
            served = f"; its vLLM server has {counted(stage.mechanics.vllm.gpus, 'GPU')} of its own"
        lines.append(f"`{stage.name}` trains on {counted(processes, 'GPU')}{where}{served}.")
    return tuple(lines)


def _slurm(spec: TaskSpec) -> str:
    several = spec.hardware.nodes > 1
    logs = ", those of the machines are in `outputs/logs`" if several else ""
    return (
        "`slurm.sh` is one job for all stages, to be sent off in this folder, which every machine "
        "of the cluster sees; the environment has to be there by then. Its log is "
        f"`slurm-<job>.log`{logs}. A job that is preempted, or runs out of time, is queued again "
        "and goes on from its last checkpoint."
    )


def _sky(asked: Skypilot) -> str:
    kept = "`outputs/` is lost with the machine: copy what you need before it goes down."
    if asked.outputs is not None:
        kept = f"`outputs/` is kept in {inline(asked.outputs)}."
    return (
        "`sky.yaml` sends this folder to machines that SkyPilot finds, installs the packages there "
        f"and runs all stages; one that is taken away is replaced. {kept}"
    )
