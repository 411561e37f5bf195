"""What samples the completions of a stage, where that is vLLM."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from compiler.literals import literal, text_literal
from compiler.plan.mechanics import RolloutMechanics
from compiler.plan.values import Argument, Origin, Planned
from compiler.resolve.arguments.entries import chosen, computed, defaulted, tiered
from compiler.resolve.ends import declared_end
from compiler.resolve.gpus import server_elsewhere
from compiler.resolve.inputs import Inputs
from compiler.resolve.mechanics import mechanics_of
from compiler.resolve.starts import start_of, uses_unsloth
from compiler.stack.vllm import SERVER_HOST, SERVER_PORT

if TYPE_CHECKING:
    from spec_schema.stages.grpo import GrpoStage
    from spec_schema.stages.rloo import RlooStage

__all__ = ["engine_arguments", "stop_argument"]

CORRECTION = "vllm_importance_sampling_mode"


def engine_arguments(
    inputs: Inputs, name: str, stage: "GrpoStage | RlooStage"
) -> Iterable[Argument]:
    """The arguments about vLLM; none where transformers samples."""
    rollout = mechanics_of(inputs, name).vllm
    if rollout is None:
        return
    if uses_unsloth(inputs.spec):
        yield tiered(
            "use_vllm", value=True, comment="loaded with the model, whose weights it shares"
        )
    elif rollout.engine == "vllm-server":
        yield from _served(rollout)
        yield from _placed(inputs, stage)
    else:
        yield from _colocated(inputs, rollout, stage)
    yield from _correction(inputs, stage)


def stop_argument(inputs: Inputs, name: str) -> Argument | None:
    """The `generation_kwargs` of a stage whose start does not tell vLLM where a turn ends.

    To transformers the trainer tells it. vLLM reads the files of the start: those of an earlier
    stage say it, those of a base do not where tokens.py has to.
    """
    if start_of(inputs, name) is not None or declared_end(inputs) is None:
        return None
    given = inputs.spec.stages[name].trainer.get("generation_kwargs", {})
    if "stop_token_ids" in given:
        return None
    own = "".join(f", {text_literal(key)}: {literal(value)}" for key, value in given.items())
    return Argument(
        "generation_kwargs",
        Planned(
            given,
            f'{{"stop_token_ids": [tokenizer.eos_token_id]{own}}}',
            Origin("compiler", "vLLM does not learn from the trainer where a turn ends"),
        ),
        "the files of the model do not tell vLLM",
    )


def _colocated(
    inputs: Inputs, rollout: RolloutMechanics, stage: "GrpoStage | RlooStage"
) -> Iterable[Argument]:
    yield tiered("use_vllm", value=True, comment="in this process, on the GPU that trains")
    yield chosen("vllm_mode", "colocate")
    yield tiered(
        "vllm_gpu_memory_utilization",
        rollout.share,
        comment="of the GPU's memory, for the weights once more and the completions of a rollout",
    )
    if rollout.sleeps:
        yield tiered(
            "vllm_enable_sleep_mode", value=True, comment="gives that back while the policy learns"
        )
    longest = f"prompts of up to {inputs.spec.data.max_prompt_tokens} tokens and completions of "
    yield tiered(
        "vllm_max_model_length",
        rollout.max_model_tokens,
        comment=f"{longest}up to {stage.max_completion_length}",
    )
    if rollout.tensor_parallel > 1:
        yield tiered(
            "vllm_tensor_parallel_size",
            rollout.tensor_parallel,
            comment="GPUs that hold one copy of the weights together",
        )


def _served(rollout: RolloutMechanics) -> Iterable[Argument]:
    gpus = "a GPU" if rollout.gpus == 1 else f"{rollout.gpus} GPUs"
    yield tiered("use_vllm", value=True, comment=f"on {gpus} of its own, which serve.sh starts")
    yield chosen("vllm_mode", "server")


def _placed(inputs: Inputs, stage: "GrpoStage | RlooStage") -> Iterable[Argument]:
    """Where the server is: on a machine of its own the launcher says which."""
    if not server_elsewhere(inputs.spec.hardware):
        yield chosen("vllm_server_host", SERVER_HOST, comment="as in serve.sh")
        yield chosen("vllm_server_port", SERVER_PORT)
        return
    host = f'os.environ.get("VLLM_HOST", {literal(SERVER_HOST)})'
    yield computed("vllm_server_host", host, comment="the last machine")
    yield chosen("vllm_server_port", SERVER_PORT)
    if "vllm_server_timeout" not in stage.trainer:
        yield chosen("vllm_server_timeout", 1800, comment="seconds; it loads when this does")


def _correction(inputs: Inputs, stage: "GrpoStage | RlooStage") -> Iterable[Argument]:
    """How the loss makes up for vLLM, whose probabilities are not quite those of the policy.

    RLOO has nothing of the kind.
    """
    if stage.method != "grpo" or CORRECTION in stage.trainer:
        return
    if stage.trainer.get("vllm_importance_sampling_correction") is False:
        return
    if stage.loss_type == "vespo":
        # grpo_trainer.py:936 refuses the modes of sequences.
        reason = "VESPO weighs completions itself, by the ratio of each token"
        yield defaulted(CORRECTION, "token_truncate", reason, comment=reason)
        return
    mode = inputs.stack.default(stage.method, CORRECTION)
    most = stage.trainer.get("vllm_importance_sampling_clip_max", 3.0)
    reason = f"weighs completions by policy over vLLM, and leaves out what is above {most:g}"
    yield defaulted(CORRECTION, mode, "TRL's default", comment=reason)
