"""The ranges outside of which TRL, transformers or torch fail late, or accept nonsense."""

from collections.abc import Callable, Iterator, Mapping

from compiler.stack.finding import Finding, Settings
from compiler.stack.table import quoted

__all__ = ["out_of_range"]


class Range:
    """The numbers that a field may hold."""

    def __init__(self, holds: Callable[[float], bool], words: str) -> None:
        """Take them as a test and in words."""
        self.holds = holds
        self.words = words


ABOVE_ZERO = Range(lambda number: number > 0, "above 0")
FROM_ZERO = Range(lambda number: number >= 0, "0 or more")
FROM_ONE = Range(lambda number: number >= 1, "1 or more")
FROM_TWO = Range(lambda number: number > 1, "2 or more")
BELOW_ONE = Range(lambda number: 0 <= number < 1, "at least 0 and below 1")
SHARE = Range(lambda number: 0 <= number <= 1, "from 0 to 1")
BELOW_HALF = Range(lambda number: 0 <= 2 * number < 1, "at least 0 and below 0.5")
FRACTION = Range(lambda number: 0 < number <= 1, "above 0 and at most 1")
WHOLE_ABOVE_ONE = Range(
    lambda number: 0 < number < 1 or (number >= 1 and number == int(number)),
    "a share of the steps below 1, or a whole number of steps",
)
WARMUP = Range(
    lambda number: number == 0 or WHOLE_ABOVE_ONE.holds(number),
    "0, a share of the steps below 1, or a whole number of steps",
)

# torch/optim/adam.py:59-67 refuses what is outside when the optimizer is built. A negative
# max_grad_norm turns clipping off without a word (transformers/trainer.py:1938), and a warm-up of
# 1.5 steps is cut to 1 (transformers/training_args.py:2158).
SHARED: Mapping[str, Range] = {
    "learning_rate": ABOVE_ZERO,
    "weight_decay": FROM_ZERO,
    "adam_beta1": BELOW_ONE,
    "adam_beta2": BELOW_ONE,
    "adam_epsilon": FROM_ZERO,
    "max_grad_norm": FROM_ZERO,
    "label_smoothing_factor": BELOW_ONE,
    "warmup_steps": WARMUP,  # transformers/training_args.py:1800
    "logging_steps": WHOLE_ABOVE_ONE,  # transformers/training_args.py:1733-1736
    "torch_empty_cache_steps": FROM_ONE,  # transformers/training_args.py:1724
    "eval_delay": FROM_ZERO,
    "eval_accumulation_steps": FROM_ONE,
    "dataloader_num_workers": FROM_ZERO,  # torch/utils/data/dataloader.py
    "dataloader_prefetch_factor": FROM_ONE,
    "neftune_noise_alpha": FROM_ZERO,
    "ddp_timeout": FROM_ONE,
}

SFT: Mapping[str, Range] = {
    "max_length": FROM_ONE,
    "dataset_num_proc": FROM_ONE,
    "pad_to_multiple_of": FROM_ONE,
}

REWARD: Mapping[str, Range] = {
    "max_length": FROM_ONE,
    "dataset_num_proc": FROM_ONE,
    "pad_to_multiple_of": FROM_ONE,
    "center_rewards_coefficient": FROM_ZERO,  # below 0 the scores are driven apart without end
}

REFERENCE: Mapping[str, Range] = {
    "ref_model_mixup_alpha": SHARE,
    "ref_model_sync_steps": FROM_ONE,  # a modulus: trl/trainer/callbacks.py:151
}

PREFERENCE: Mapping[str, Range] = {
    **REFERENCE,
    # 0 makes every loss a constant, or divides by it (dpo_trainer.py:1393, 1438)
    "beta": ABOVE_ZERO,
    "max_length": FROM_ONE,
    "dataset_num_proc": FROM_ONE,
    "pad_to_multiple_of": FROM_ONE,
    "precompute_ref_batch_size": FROM_ONE,
}

DPO: Mapping[str, Range] = {
    **PREFERENCE,
    # at 0.5 chosen and rejected count alike, and `robust` divides by 0 (dpo_trainer.py:1428)
    "label_smoothing": BELOW_HALF,
    "ld_alpha": SHARE,  # arXiv 2409.06411; TRL takes any number (dpo_trainer.py:1303)
    "discopop_tau": ABOVE_ZERO,  # a division by it: dpo_trainer.py:1483
}

KTO: Mapping[str, Range] = {
    **PREFERENCE,
    "desirable_weight": FROM_ZERO,
    "undesirable_weight": FROM_ZERO,
}

ROLLOUT: Mapping[str, Range] = {
    **REFERENCE,
    "num_generations": FROM_TWO,  # trl/trainer/grpo_config.py:1138, rloo_config.py:701
    "max_completion_length": FROM_ONE,  # 0 fails inside `generate`
    "temperature": ABOVE_ZERO,  # transformers/generation/logits_process.py:291, at the first step
    "top_p": FRACTION,  # above 1 it is taken without a word and does nothing
    "top_k": FROM_ZERO,  # logits_process.py:612, at the first step; 0 turns it off
    "min_p": SHARE,  # logits_process.py:782, at the first step
    "repetition_penalty": ABOVE_ZERO,  # logits_process.py:360, at the first step
    "beta": FROM_ZERO,  # below 0 the policy is paid for leaving the reference
    "num_iterations": FROM_ONE,  # 0 repeats no batch: trl/trainer/grpo_trainer.py:1313
    "epsilon": FROM_ZERO,  # below 0 the clip's bounds cross: trl/trainer/grpo_trainer.py:3113
    "epsilon_high": FROM_ZERO,
    "pad_to_multiple_of": FROM_ONE,
}

GRPO: Mapping[str, Range] = {
    **ROLLOUT,
    # below 0 no quantile: grpo_trainer.py:3050; above 1 it is taken without a word for 1
    "top_entropy_quantile": FRACTION,
    "entropy_coef_min": FROM_ZERO,
    "entropy_coef_delta": FROM_ZERO,
    "off_policy_mask_threshold": FROM_ZERO,  # below 0 every negative sequence goes: 2945-2970
    "sapo_temperature_pos": ABOVE_ZERO,  # a division by it: trl/trainer/grpo_trainer.py:3123
    "sapo_temperature_neg": ABOVE_ZERO,
    "vespo_lambda_pos": ABOVE_ZERO,  # clamped to 1e-4 without a word: grpo_trainer.py:3012
    "vespo_lambda_neg": ABOVE_ZERO,
}

RANGES: Mapping[str, Mapping[str, Range]] = {
    "sft": SFT,
    "reward": REWARD,
    "dpo": DPO,
    "kto": KTO,
    "grpo": GRPO,
    "rloo": ROLLOUT,
}


def out_of_range(settings: Settings) -> Iterator[Finding]:
    """Find the numbers that a user wrote and the trainer cannot use."""
    for name, allowed in {**SHARED, **RANGES.get(settings.method, {})}.items():
        number = settings.number(name) if name in settings.written else None
        if number is not None and not allowed.holds(number):
            message = f"`{name}` is {quoted(number)}, but must be {allowed.words}"
            yield Finding((name,), "bad-value", message)
