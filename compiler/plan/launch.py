"""Contexts of what starts the stages: run.sh, accelerate.yaml, slurm.sh and sky.yaml."""

from typing import NamedTuple

__all__ = ["AccelerateFile", "Machines", "RunFile", "SkyFile", "SlurmFile", "StageRun", "Zero"]


class StageRun(NamedTuple):
    """A stage in run.sh: its name, and the command that trains it."""

    name: str
    command: str


class Machines(NamedTuple):
    """What run.sh needs to know where it runs on several machines at once.

    `starter` is the file that starts it on each, `rank` the variable with a machine's number, from
    0 on.
    """

    starter: str
    rank: str


class RunFile(NamedTuple):
    """Context of run.sh.

    `devices` are the numbers of the GPUs of one machine, None on the CPU; `several` of these are
    there, or None where one is. On several machines `launcher` is the program that starts the
    processes of a stage, and `server` the number of the machine that samples, None without one.
    `takes_turns`: vLLM gives its memory back to a stage that trains.
    """

    stages: tuple[StageRun, ...]
    devices: str | None
    several: int | None
    machines: Machines | None
    server: str | None
    launcher: str
    takes_turns: bool
    evaluates: bool
    exports: bool


class Zero(NamedTuple):
    """DeepSpeed's part of accelerate.yaml: `whole`, where a process holds all weights."""

    stage: int
    whole: bool


class AccelerateFile(NamedTuple):
    """Context of accelerate.yaml.

    `zero` and `fsdp` are the two ways to shard, neither where each process holds everything;
    `quantized`: each process reads weights of 4 bit for itself.
    """

    precision: str
    zero: Zero | None
    fsdp: bool
    quantized: bool
    several_machines: bool


class SlurmFile(NamedTuple):
    """Context of slurm.sh: `options` are those of sbatch, `setup` lines of shell.

    `server`: of several machines the last one samples.
    """

    options: tuple[str, ...]
    setup: tuple[str, ...]
    several_machines: bool
    server: bool


class SkyFile(NamedTuple):
    """Context of sky.yaml: its texts are YAML already, and None where they are left out.

    `bucket` keeps a copy of outputs/, `volume` holds it; `secrets` are variables of the
    environment. `server`: of several machines the last one samples.
    """

    name: str
    infra: str | None
    accelerators: str | None
    disk: int
    spot: bool
    nodes: int | None
    server: bool
    bucket: str | None
    volume: str | None
    secrets: tuple[str, ...]
    setup: str
