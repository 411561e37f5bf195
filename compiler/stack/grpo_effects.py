"""Which fields that a user wrote for a `grpo` stage TRL would read without any effect."""

from collections.abc import Callable, Iterator

from compiler.stack.effect_rules import NEVER, NOT_SYNCED, Condition, Ignored, no_effect
from compiler.stack.finding import Finding, Settings
from compiler.stack.rollout_rules import NOT_VLLM, ON_POLICY, VLLM, is_corrected, is_on_policy

__all__ = ["ignored_fields"]

CLIPPED = frozenset({"grpo", "bnpo", "dr_grpo", "dapo", "luspo"})


def _unless_loss(*losses: str) -> Callable[[Settings], bool]:
    return lambda settings: settings.text("loss_type") not in losses


def _level_is_ignored(settings: Settings) -> bool:
    # With the entropy mask, or the bias correction of the KL term, even a ratio of 1 has a gradient
    # that depends on the level (grpo_trainer.py:3104, 3143).
    masked = settings.number("top_entropy_quantile") != 1
    corrected = bool(settings.number("beta")) and settings.is_on("use_bias_correction_kl")
    known = settings.text("importance_sampling_level") in ("token", "sequence")
    return known and is_on_policy(settings) and not masked and not corrected


WITHOUT_CLIPPING = Condition(_unless_loss(*CLIPPED), "with this `loss_type`, which does not clip")
WITHOUT_UPPER_BOUND = Condition(
    _unless_loss(*CLIPPED, "cispo"), "with this `loss_type`, which has no upper bound"
)
NOT_CISPO_ON_POLICY = Condition(
    lambda settings: is_on_policy(settings) and settings.text("loss_type") != "cispo",
    ON_POLICY.why,
    ON_POLICY.hint,
)
NOT_SAPO = Condition(_unless_loss("sapo"), "with a `loss_type` other than `sapo`")
NOT_VESPO = Condition(_unless_loss("vespo"), "with a `loss_type` other than `vespo`")
NOT_ADAPTIVE = Condition(
    lambda settings: not settings.is_on("use_adaptive_entropy"),
    "without `use_adaptive_entropy`",
    "write `use_adaptive_entropy = true`, or leave it out",
)
NOT_CORRECTED = Condition(
    lambda settings: not is_corrected(settings),
    "without `vllm_importance_sampling_correction`",
)
NO_REFERENCE = Condition(
    lambda settings: not settings.number("beta"),
    "with `beta = 0`",
    "write `beta` in the stage, or leave it out",
)

# Source: grpo_trainer.py:3046-3140 for the losses, 2644-2708 for what vLLM samples, 3206-3238 for
# entropy, 3100-3105 for the KL term, 1190 for the reference; TRL's own sampler and loss replace
# those of transformers (1280, 3020).
IGNORED: Ignored = {
    "cache_implementation": (VLLM,),
    "delta": (WITHOUT_CLIPPING, ON_POLICY),
    "entropy_coef_delta": (NOT_ADAPTIVE,),
    "entropy_coef_max": (NOT_ADAPTIVE,),
    "entropy_coef_min": (NOT_ADAPTIVE,),
    "entropy_target": (NOT_ADAPTIVE,),
    "epsilon": (WITHOUT_CLIPPING, ON_POLICY),
    "epsilon_high": (WITHOUT_UPPER_BOUND, NOT_CISPO_ON_POLICY),
    "importance_sampling_level": (Condition(_level_is_ignored, ON_POLICY.why, ON_POLICY.hint),),
    "label_smoothing_factor": (NEVER,),
    "length_column_name": (NEVER,),
    "off_policy_mask_threshold": (ON_POLICY,),
    "ref_model_mixup_alpha": (NOT_SYNCED,),
    "ref_model_sync_steps": (NOT_SYNCED,),
    "sapo_temperature_neg": (NOT_SAPO, ON_POLICY),
    "sapo_temperature_pos": (NOT_SAPO, ON_POLICY),
    "train_sampling_strategy": (NEVER,),
    "use_bias_correction_kl": (NO_REFERENCE,),
    "vespo_k_neg": (NOT_VESPO, ON_POLICY),
    "vespo_k_pos": (NOT_VESPO, ON_POLICY),
    "vespo_lambda_neg": (NOT_VESPO, ON_POLICY),
    "vespo_lambda_pos": (NOT_VESPO, ON_POLICY),
    "vllm_importance_sampling_clip_max": (NOT_VLLM, NOT_CORRECTED),
    "vllm_importance_sampling_clip_min": (NOT_VLLM, NOT_CORRECTED),
    "vllm_importance_sampling_correction": (NOT_VLLM,),
    "vllm_importance_sampling_mode": (NOT_VLLM, NOT_CORRECTED),
}


def ignored_fields(settings: Settings) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore."""
    return no_effect(settings, IGNORED)
