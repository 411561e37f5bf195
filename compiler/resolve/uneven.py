"""Steps that the GPUs cannot share, with the nearest ones that they can.

TRL lays out whole batches alone: `per_device_train_batch_size * processes * accumulation` is the
step, and a rollout of it holds whole groups (grpo_config.py:1104, 1132; rloo_config.py:667, 695).
"""

import math
from collections.abc import Iterator

from compiler.plan.mechanics import Fault
from compiler.resolve.gpus import training_gpus
from compiler.resolve.inputs import Inputs
from compiler.resolve.methods import METHODS
from compiler.resolve.steps import LEAST_ROWS, is_undivided, whole_step
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["uneven"]


def uneven(inputs: Inputs, name: str) -> Iterator[Fault]:
    """Why the GPUs that train cannot share the step of a stage; nothing where they can."""
    stage = inputs.spec.stages[name]
    processes, whole = training_gpus(inputs, name), whole_step(stage)
    if processes == 1:
        return
    path, gpus = ("stages", name, "prompts_per_step"), ("hardware", "gpus")
    if is_undivided(stage):
        message = f"`{name}` compares all pairs of a step, which {processes} GPUs would part"
        hint = "write `gpus = 1`, or a loss that takes each pair alone, such as `sigmoid`"
        yield Fault("uneven-step", (gpus,), message, (hint,))
        return
    least = LEAST_ROWS.get(stage.method, 1)
    if whole % processes == 0 and whole // processes >= least:
        return
    each = f", {least} or more each," if least > 1 else ""
    message = (
        f"a step of `{name}` has {_counted(stage, whole)}, which {processes} GPUs{each} "
        "cannot share evenly"
    )
    yield Fault("uneven-step", (path, gpus), message, tuple(_ways_out(inputs, name, least)))


def _counted(stage: Stage, whole: int) -> str:
    if isinstance(stage, RolloutStage):
        prompts, group = stage.prompts_per_step, stage.num_generations
        return f"{prompts} prompts * {group} generations = {whole:,} completions"
    return f"{whole:,} {METHODS[stage.method].unit}{'' if whole == 1 else 's'}"


def _ways_out(inputs: Inputs, name: str, least: int) -> Iterator[str]:
    """The nearest values of each key with which the GPUs can share the step."""
    stage, hardware = inputs.spec.stages[name], inputs.spec.hardware
    processes = training_gpus(inputs, name)
    group = stage.num_generations if isinstance(stage, RolloutStage) else 1
    whole = whole_step(stage)
    unit = processes // math.gcd(group, processes)
    prompts = _nearest(stage.prompts_per_step, unit, -(-least * processes // group))
    yield f"write `prompts_per_step = {_either(prompts)}`"
    servers = hardware.gpus - processes
    if servers and hardware.nodes == 1:
        yield from _other_server(inputs, stage, servers)
    fitting = [
        gpus
        for gpus in range(1, 2 * processes + 1)
        if whole % gpus == 0
        and whole // gpus >= least
        and gpus + servers >= hardware.nodes
        and (gpus + servers) % hardware.nodes == 0
    ]
    fewer = [gpus + servers for gpus in fitting if gpus < processes][-1:]
    more = [gpus + servers for gpus in fitting if gpus > processes][:1]
    if fewer or more:
        yield f"or write `gpus = {_either([*fewer, *more])}`"
    if isinstance(stage, RolloutStage):
        unit = processes // math.gcd(stage.prompts_per_step, processes)
        yield f"or write `num_generations = {_either(_nearest(group, unit, 2))}`"


def _other_server(inputs: Inputs, stage: Stage, servers: int) -> Iterator[str]:
    """A larger server that leaves GPUs which share the step, and holds the model evenly."""
    gpus, whole = inputs.spec.hardware.gpus, whole_step(stage)
    shape = inputs.architectures.get(stage.model or inputs.spec.model.base)
    for larger in range(servers + 1, gpus):
        rest = gpus - larger
        if whole % rest == 0 and (shape is None or shape.heads % larger == 0):
            yield f"or write `gpus = {larger}` in `rollout`, which leaves {rest} to train"
            return


def _nearest(value: int, unit: int, least: int) -> list[int]:
    """The multiples of `unit` around a value, of those that are not below `least`."""
    below = value // unit * unit
    lowest = -(-least // unit) * unit
    return sorted({max(each, lowest) for each in (below, below + unit)})


def _either(values: list[int]) -> str:
    return "` or `".join(map(str, values))
