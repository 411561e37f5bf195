"""What a training script asks of Unsloth: its model, its adapter, and vLLM beside it."""

from collections.abc import Iterable

from compiler.plan.mechanics import Mechanics
from compiler.plan.stages import LoraPlan, UnslothPlan
from compiler.plan.values import Argument
from compiler.resolve.arguments import lora_plan
from compiler.resolve.arguments.entries import chosen, computed, keyed, tiered
from compiler.resolve.inputs import Inputs
from compiler.resolve.starts import adapter_of, is_quantized
from spec_schema import TaskSpec
from spec_schema.stages import Stage
from spec_schema.stages.rollout import RolloutStage

__all__ = ["plan_unsloth"]


def plan_unsloth(inputs: Inputs, name: str, mechanics: Mechanics) -> UnslothPlan:
    """The calls of Unsloth in the script of a stage."""
    lora = lora_plan(inputs, name)
    return UnslothPlan(
        loading=tuple(_loading(inputs, name, mechanics)),
        adapter=() if lora is None else tuple(_adapter(inputs, lora)),
        standby=mechanics.rollout is not None and mechanics.rollout.sleeps,
    )


def _longest_sequence(spec: TaskSpec, stage: Stage) -> int:
    """The tokens of the longest row that a stage trains on, a completion included."""
    if isinstance(stage, RolloutStage):
        return spec.data.max_prompt_tokens + stage.max_completion_length
    return stage.max_length


def _loading(inputs: Inputs, name: str, mechanics: Mechanics) -> Iterable[Argument]:
    """The arguments of `FastLanguageModel.from_pretrained`."""
    stage, adapter = inputs.spec.stages[name], adapter_of(inputs.spec, name)
    said = "prompt and completion" if isinstance(stage, RolloutStage) else ""
    vllm = mechanics.vllm
    longest = _longest_sequence(inputs.spec, stage) if vllm is None else vllm.max_model_tokens
    yield computed("model_name", "start")
    yield tiered("max_seq_length", longest, comment=said)
    yield tiered("load_in_4bit", value=is_quantized(adapter))
    if adapter is None:
        yield chosen("full_finetuning", value=True)
        # Unsloth would train them in bfloat16 alone, which rounds small steps away.
        yield tiered(
            "float32_mixed_precision",
            value=True,
            comment="weights and optimizer states; computed in 16 bit",
        )
    elif vllm is not None:
        yield tiered("fast_inference", value=True, comment="vLLM samples from the same weights")
        yield tiered("max_lora_rank", adapter.r)
        yield tiered("gpu_memory_utilization", vllm.share)


def _adapter(inputs: Inputs, lora: LoraPlan) -> Iterable[Argument]:
    """The arguments of `FastLanguageModel.get_peft_model`, which names the task itself."""
    yield from (argument for argument in lora.arguments if argument.name != "task_type")
    yield chosen(
        "use_gradient_checkpointing", "unsloth", comment="recomputed; what is kept lies on the host"
    )
    yield keyed("random_state", inputs.spec.project.seed, ("project", "seed"))
