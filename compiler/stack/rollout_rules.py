"""What `grpo` and `rloo` stages share: rollouts, the updates taken from each, and sampling."""

from collections.abc import Iterator

from compiler.stack.effect_rules import Condition
from compiler.stack.finding import Finding, Settings

__all__ = ["NOT_VLLM", "ON_POLICY", "VLLM", "generation_arguments", "is_corrected", "is_on_policy"]

# grpo_trainer.py:1171 and rloo_trainer.py let these replace what was checked, or read them where it
# cannot work: several beams or sequences a prompt break the groups, and stop strings need a
# tokenizer.
RESERVED_FOR_GENERATION = {
    "bos_token_id": "leave it out",
    "do_sample": "leave it out",
    "eos_token_id": "leave it out",
    "max_length": "write `max_completion_length` in the stage",
    "max_new_tokens": "write `max_completion_length` in the stage",
    "num_beams": "leave it out",
    "num_return_sequences": "write `num_generations` in the stage",
    "pad_token_id": "leave it out",
    "stop_strings": "leave it out",
    "temperature": "write `temperature` in the stage",
    "cache_implementation": "write `cache_implementation` beside it",
    "min_p": "write `min_p` beside it",
    "repetition_penalty": "write `repetition_penalty` beside it",
    "top_k": "write `top_k` beside it",
    "top_p": "write `top_p` beside it",
}


def is_on_policy(settings: Settings) -> bool:
    """Whether every update uses completions of the current weights (grpo_trainer.py:2642-2646).

    Then the importance ratio is 1 for all tokens, and nothing that bounds it does anything.
    """
    accumulation = settings.number("gradient_accumulation_steps") or 1
    per_generation = settings.number("steps_per_generation") or accumulation
    iterations = settings.number("num_iterations") or 1
    return accumulation % (per_generation * iterations) == 0 and not is_corrected(settings)


def is_corrected(settings: Settings) -> bool:
    """Whether the loss makes up for what vLLM samples otherwise than the policy would.

    Of RLOO none does: it has no such field.
    """
    if settings.method != "grpo" or not settings.is_on("use_vllm"):
        return False
    return settings.is_on("vllm_importance_sampling_correction")


NOT_VLLM = Condition(
    lambda settings: not settings.is_on("use_vllm"),
    "where transformers samples",
    'write `rollout = { engine = "vllm-colocate" }` in `[hardware]`, or leave it out',
)
VLLM = Condition(lambda settings: settings.is_on("use_vllm"), "where vLLM samples")
ON_POLICY = Condition(
    is_on_policy,
    "while each rollout is used for one update",
    "write `updates_per_rollout = 4` in the stage, or leave it out",
)


def generation_arguments(settings: Settings) -> Iterator[Finding]:
    """Report sampling arguments that have a key of their own (grpo_trainer.py:1171)."""
    for name in settings.table("generation_kwargs"):
        if name in RESERVED_FOR_GENERATION:
            yield Finding(
                ("generation_kwargs",),
                "settings-conflict",
                f"`generation_kwargs` cannot set `{name}`",
                RESERVED_FOR_GENERATION[name],
            )
