"""Which fields that a user wrote for a `grpo` stage TRL would read without any effect."""

from collections.abc import Callable, Iterator, Mapping

from compiler.diagnostics import Severity
from compiler.stack.finding import Finding, Settings

__all__ = ["is_on_policy", "no_effect"]

CLIPPED = frozenset({"grpo", "bnpo", "dr_grpo", "dapo", "luspo"})


class Condition:
    """When a field is ignored."""

    def __init__(
        self, holds: Callable[[Settings], bool], why: str, hint: str = "leave it out"
    ) -> None:
        """Take the test, why it is so in words that end the sentence, and what to do."""
        self.holds = holds
        self.why = why
        self.hint = hint


def is_on_policy(settings: Settings) -> bool:
    """Whether every update uses completions of the current weights (grpo_trainer.py:2642-2646).

    Then the importance ratio is 1 for all tokens, and nothing that bounds it does anything.
    """
    accumulation = settings.number("gradient_accumulation_steps") or 1
    per_generation = settings.number("steps_per_generation") or accumulation
    iterations = settings.number("num_iterations") or 1
    corrected = settings.is_on("use_vllm") and settings.is_on("vllm_importance_sampling_correction")
    return accumulation % (per_generation * iterations) == 0 and not corrected


def _unless_loss(*losses: str) -> Callable[[Settings], bool]:
    return lambda settings: settings.text("loss_type") not in losses


def _level_is_ignored(settings: Settings) -> bool:
    # With the entropy mask, or the bias correction of the KL term, even a ratio of 1 has a gradient
    # that depends on the level (grpo_trainer.py:3104, 3143).
    masked = settings.number("top_entropy_quantile") != 1
    corrected = bool(settings.number("beta")) and settings.is_on("use_bias_correction_kl")
    return is_on_policy(settings) and not masked and not corrected


ON_POLICY = Condition(
    is_on_policy,
    "while each batch of completions is used for one update",
    "write `num_iterations = 2` in the stage's `trainer`, or leave it out",
)
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
NOT_SYNCED = Condition(
    lambda settings: not settings.is_on("sync_ref_model"),
    "without `sync_ref_model`",
    "write `sync_ref_model = true`, or leave it out",
)
NO_REFERENCE = Condition(
    lambda settings: not settings.number("beta"),
    "with `beta = 0`",
    "write `beta` in the stage, or leave it out",
)
NEVER = Condition(lambda _: True, "in a `grpo` stage")

# The first condition that holds is the one reported. Source: grpo_trainer.py:3046-3140 for the
# losses, 3206-3238 for entropy, 3100-3105 for the KL term, 1190 for the reference; TRL's own
# sampler and loss replace those of transformers (1280, 3020).
IGNORED: Mapping[str, tuple[Condition, ...]] = {
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
}


def no_effect(settings: Settings) -> Iterator[Finding]:
    """Warn of each written field that this plan would ignore."""
    for name, conditions in IGNORED.items():
        if name not in settings.written or settings.value(name) is None:
            continue
        for condition in conditions:
            if condition.holds(settings):
                message = f"`{name}` has no effect {condition.why}"
                yield Finding((name,), "no-effect", message, condition.hint, Severity.WARNING)
                break
