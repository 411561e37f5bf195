"""serve.sh: the vLLM server beside which a stage trains."""

import shlex

from compiler.plan.project import PlannedFile
from compiler.plan.serving import ServedStage, ServeFile
from compiler.plan.stages import StagePlan
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import model_of, start_of
from compiler.stack.vllm import SERVER_HOST, SERVER_PORT

__all__ = ["is_served", "plan_serving", "served_command"]

# Weights of 70B come from a hub at 1 GB/s in two minutes and a half, from a slow disk in ten;
# compiling and capturing graphs takes a few more.
PATIENCE = 1800


def is_served(stage: StagePlan) -> bool:
    """Whether a vLLM server samples for a stage."""
    vllm = stage.mechanics.vllm
    return vllm is not None and vllm.engine == "vllm-server"


def served_command(stage: StagePlan, command: str) -> str:
    """The command that trains a stage, with its server around it where it has one."""
    return f"bash serve.sh {stage.name} {command}" if is_served(stage) else command


def plan_serving(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[PlannedFile, ...]:
    """The file, where a stage has a server."""
    served = [stage for stage in stages if is_served(stage)]
    if not served:
        return ()
    spec = inputs.spec
    each_has = spec.hardware.gpus // spec.hardware.nodes
    rollouts = [stage.mechanics.vllm for stage in served if stage.mechanics.vllm is not None]
    from_base = any(start_of(inputs, stage.name) is None for stage in served)
    revision = spec.model.revision if from_base else None
    context = ServeFile(
        stages=tuple(
            ServedStage(stage.name, _start(inputs, stage.name), each.gpus, each.max_model_tokens)
            for stage, each in zip(served, rollouts, strict=True)
        ),
        gpus=each_has,
        devices=",".join(map(str, range(each_has))),
        host=SERVER_HOST,
        listens="0.0.0.0" if spec.hardware.nodes > 1 else SERVER_HOST,  # noqa: S104 - machines ask it
        port=SERVER_PORT,
        share=f"{max(each.share for each in rollouts):g}",
        dtype=served[0].mechanics.precision,
        seed=spec.project.seed,
        revision=None if revision is None else shlex.quote(revision),
        patience=PATIENCE,
    )
    return (PlannedFile("serve.sh", "serve.sh.jinja", context),)


def _start(inputs: Inputs, name: str) -> str:
    """The model that a stage starts from, as a path from the project's folder or a hub's name."""
    start = start_of(inputs, name)
    return shlex.quote(model_of(inputs, name) if start is None else f"outputs/{start}/model")
