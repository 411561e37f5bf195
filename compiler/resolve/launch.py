"""What starts the stages: run.sh, and accelerate.yaml where several GPUs train."""

from compiler.plan.launch import AccelerateFile, Machines, RunFile, StageRun, Zero
from compiler.plan.mechanics import Precision
from compiler.plan.project import PlannedFile
from compiler.plan.stages import StagePlan
from compiler.resolve.export import policy_chain
from compiler.resolve.inputs import Inputs
from compiler.resolve.paths import written_files
from compiler.resolve.serving import is_served, plan_serving, served_command
from compiler.resolve.starts import adapter_of, is_quantized
from spec_schema import TaskSpec

__all__ = ["launch_command", "machines_of", "plan_launch"]

# What accelerate calls them. Another value than the script's `bf16` or `fp16` would win over it
# (transformers/training_args.py:1614).
PRECISIONS: dict[Precision, str] = {"float32": "no", "float16": "fp16", "bfloat16": "bf16"}
# The file that starts run.sh on several machines, and the variable that numbers these.
STARTERS = {
    "slurm": Machines("slurm.sh", "SLURM_NODEID"),
    "skypilot": Machines("sky.yaml", "SKYPILOT_NODE_RANK"),
}


def plan_launch(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The files, each with its context; on one GPU or the CPU run.sh alone starts plain Python."""
    files = [PlannedFile("run.sh", "run.sh.jinja", _run(inputs, stages))]
    hardware = inputs.spec.hardware
    if hardware.gpus > 1:
        context = _accelerate(inputs, stages)
        files.append(PlannedFile("accelerate.yaml", "accelerate.yaml.jinja", context))
    files += plan_serving(inputs, stages)
    if "launch.py" in written_files(inputs):
        files.append(PlannedFile("launch.py", "launch.py.jinja", None))
    if hardware.launcher != "local":
        from compiler.resolve.launchers import plan_launcher  # few specs have one

        files.append(plan_launcher(inputs, stages))
    return tuple(files)


def machines_of(spec: TaskSpec, stage: StagePlan) -> int:
    """The machines that a stage trains on; the rules have seen to it that it fills them."""
    return max(1, stage.batch.processes * spec.hardware.nodes // spec.hardware.gpus)


def launch_command(inputs: Inputs, stage: StagePlan) -> str:
    """The command that trains a stage, as run.sh has it.

    `serve.sh STAGE COMMAND` runs the command beside the server of a stage. On several machines
    `launch` and `sampled` are functions of run.sh.
    """
    script, hardware = f"train_{stage.name}.py", inputs.spec.hardware
    if hardware.gpus == 1:
        return f"python {script}"
    processes = f"--num_processes {stage.batch.processes}"
    if hardware.nodes > 1:
        machines = f"--num_machines {machines_of(inputs.spec, stage)}"
        function = "sampled" if is_served(stage) else "launch"
        return f"{function} {stage.name} {machines} {processes}"
    command = f"{_launcher(inputs)} --config_file accelerate.yaml {processes} {script}"
    return served_command(stage, command)


def _launcher(inputs: Inputs) -> str:
    return "python launch.py" if "launch.py" in written_files(inputs) else "accelerate launch"


def _run(inputs: Inputs, stages: tuple[StagePlan, ...]) -> RunFile:
    hardware = inputs.spec.hardware
    each = hardware.gpus // hardware.nodes
    return RunFile(
        stages=tuple(StageRun(stage.name, launch_command(inputs, stage)) for stage in stages),
        devices=None if hardware.tier == "cpu" else ",".join(map(str, range(each))),
        several=each if hardware.gpus > 1 else None,
        machines=STARTERS[hardware.launcher] if hardware.nodes > 1 else None,
        server=str(hardware.nodes - 1) if any(map(is_served, stages)) else None,
        launcher=_launcher(inputs),
        takes_turns=any(stage.mechanics.vllm and stage.mechanics.vllm.sleeps for stage in stages),
        evaluates="evaluate.py" in written_files(inputs),
        exports=bool(policy_chain(stages)),
    )


def _accelerate(inputs: Inputs, stages: tuple[StagePlan, ...]) -> AccelerateFile:
    """One for all stages, which the plan shards alike."""
    spec, mechanics = inputs.spec, stages[0].mechanics
    precisions = {PRECISIONS[stage.mechanics.precision] for stage in stages}
    zero = {"zero2": Zero(2, whole=True), "zero3": Zero(3, whole=False)}
    return AccelerateFile(
        precision=precisions.pop() if len(precisions) == 1 else "no",
        zero=zero.get(mechanics.sharding),
        fsdp=mechanics.sharding == "fsdp2",
        quantized=any(is_quantized(adapter_of(spec, stage.name)) for stage in stages),
        several_machines=spec.hardware.nodes > 1,
    )
