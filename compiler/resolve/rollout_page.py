"""What samples completions, as README.md and PLAN.md say it."""

import textwrap

from compiler.plan.mechanics import RolloutMechanics
from compiler.plan.stages import StagePlan
from compiler.resolve.incompatible import engine_asked, vllm_refusal
from compiler.resolve.inputs import Inputs

__all__ = ["rollout_lines", "sampler_lines"]

LINE = 116  # characters, as the rest of README.md has


def rollout_lines(inputs: Inputs, stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    """What PLAN.md says of the engine of each stage that samples; nothing on the CPU."""
    if inputs.spec.hardware.tier == "cpu":
        return ()
    lines: list[str] = []
    for stage in stages:
        rollout = stage.mechanics.rollout
        if rollout is None:
            continue
        if rollout.engine != "transformers":
            lines.append(f"`{stage.name}` samples with vLLM {_where(rollout)}.")
        elif engine_asked(inputs.spec) == "auto":
            sharding = stage.mechanics.sharding
            why = vllm_refusal(inputs, stage.name, sharding=sharding)
            if why is not None:
                lines.append(f"`{stage.name}` samples with transformers, not with vLLM: {why}.")
    return tuple(lines)


def sampler_lines(stages: tuple[StagePlan, ...]) -> tuple[str, ...]:
    """What README.md adds where vLLM samples."""
    sampled = _by_vllm(stages)
    if not sampled:
        return ()
    lines = [_installed(sampled)]
    vllm = [stage.mechanics.vllm for stage in sampled]
    if any(each is not None and each.engine == "vllm-server" for each in vllm):
        lines.append(
            "`serve.sh` starts it on GPUs of its own while a stage trains on the others, waits "
            "until it answers, and stops it when the stage ends. It writes to "
            "`outputs/<stage>/vllm.log`, and listens to this machine alone."
        )
    return tuple(textwrap.fill(line, LINE, break_on_hyphens=False) for line in lines)


def _installed(sampled: list[StagePlan]) -> str:
    names = " and ".join(f"`{stage.name}`" for stage in sampled)
    return (
        f"vLLM samples the completions of {names}. It is for Linux with GPUs of NVIDIA, and is "
        'installed where the training runs: `pip install ".[vllm]"`. The checks before it do '
        "without it."
    )


def _by_vllm(stages: tuple[StagePlan, ...]) -> list[StagePlan]:
    return [stage for stage in stages if stage.mechanics.vllm is not None]


def _where(rollout: RolloutMechanics) -> str:
    together = rollout.tensor_parallel
    if rollout.engine == "vllm-server":
        gpus = "a GPU of its own" if together == 1 else f"{together} GPUs of its own"
        return f"on {gpus}, {rollout.share:.0%} of their memory at most"
    copies = "" if together == 1 else f", {together} GPUs for a copy of the model"
    held = "which it gives back while the stage trains" if rollout.sleeps else "all the time"
    return f"beside the trainer, in {rollout.share:.0%} of a GPU's memory, {held}{copies}"
